/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SkipIndexTest {
  /** Of some 120 keys. */
  private static final long CAPACITY_BYTES = 1_000;

  private Set<String> live = Set.of("slow", "other slow");
  private SkipIndex<Set<String>, String> skipIndex =
      new SkipIndex<>(() -> CAPACITY_BYTES, () -> live, moment -> moment, Optional.empty());

  @AfterEach
  @AfterTry
  void close() {
    skipIndex.close();
  }

  private static SortedTokenSet tokens(Collection<Integer> tokens) {
    return SortedTokenSet.of(tokens.stream().mapToLong(token -> token).toArray());
  }

  private boolean leavesOut(String slow, int key) {
    return skipIndex.contains(slow, key);
  }

  private void copy(String copy, int... keys) {
    live = plus(live, copy);
    SortedTokenSet rows = SortedTokenSet.of(Arrays.stream(keys).asLongStream().toArray());
    skipIndex.add(Map.of("slow", rows), List.of(copy));
  }

  private static Set<String> plus(Set<String> some, String... more) {
    Set<String> all = new HashSet<>(some);
    all.addAll(List.of(more));
    return all;
  }

  private static Set<String> minus(Set<String> some, String... less) {
    Set<String> rest = new HashSet<>(some);
    rest.removeAll(List.of(less));
    return rest;
  }

  @Test
  void onlyTheRowsThatWereCopiedAreLeftOutAndOnlyOfTheirSSTable() {
    assertThat(leavesOut("slow", 1)).isFalse();
    copy("copy", 1, 2);
    assertThat(leavesOut("slow", 1)).isTrue();
    assertThat(leavesOut("slow", 3)).isFalse();
    assertThat(leavesOut("other slow", 1)).isFalse();
  }

  @Test
  void aCopyThatVanishesTakesItsRowsAlong() {
    copy("copy", 1);
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
    live = plus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  /** To log is to write a file, and reads wait for the monitor. */
  @Test
  void nothingIsLoggedUnderTheMonitor() {
    Map<String, Boolean> held = new LinkedHashMap<>();
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            held.put(event.getFormattedMessage(), Thread.holdsLock(skipIndex));
          }
        };
    var logger = (Logger) LoggerFactory.getLogger(SkipIndex.class);
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
    try {
      copy("copy", 1, 2);
      live = minus(live, "copy");
      assertThat(leavesOut("slow", 1)).isFalse();
      copy("another", 3);
      live = minus(live, "slow");
      assertThat(skipIndex.copies()).isEmpty();
      skipIndex.retain(live, key -> true);
    } finally {
      logger.detachAppender(appender);
    }

    assertThat(held.keySet())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("A copy is gone").contains("2 rows"),
            second ->
                assertThat(second)
                    .startsWith("SSTables with rows of their own from now on: another (1 "));
    assertThat(held).doesNotContainValue(true);
  }

  @Test
  void aCopyThatIsGoneBeforeItIsAddedCountsNothing() {
    skipIndex.add(Map.of("slow", SortedTokenSet.of(1)), List.of("gone"));
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void anAnnouncedCompactionHandsTheRowsOn() {
    copy("copy", 1);
    live = plus(live, "merged");
    skipIndex.announce(List.of("copy", "flushed"), List.of("merged"), SortedTokenSet.of(), false);
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "merged");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  /** An input that has expired as a whole is gone at the moment at which the outputs are live. */
  @Test
  void aCompactionIsAnnouncedBeforeItsOutputsAreLive() {
    copy("copy", 1);
    copy("expired", 2);
    skipIndex.announce(List.of("copy", "expired"), List.of("merged"), SortedTokenSet.of(), false);
    assertThat(leavesOut("slow", 1)).isTrue();
    live = plus(minus(live, "expired"), "merged");
    assertThat(leavesOut("slow", 1)).isTrue();
    assertThat(leavesOut("slow", 2)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isTrue();
  }

  @Test
  void aCopyThatWasCompactedBeforeItIsAddedLivesOnInTheOutput() {
    live = plus(live, "copy", "merged", "merged again");
    skipIndex.announce(List.of("copy"), List.of("merged"), SortedTokenSet.of(), false);
    skipIndex.announce(List.of("merged"), List.of("merged again"), SortedTokenSet.of(), false);
    live = minus(live, "copy", "merged");
    skipIndex.add(Map.of("slow", SortedTokenSet.of(1)), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "merged again");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aCompactionThatFailsAfterItWasAnnouncedChangesNothing() {
    copy("copy", 1);
    live = plus(live, "merged");
    skipIndex.announce(List.of("copy"), List.of("merged"), SortedTokenSet.of(), false);
    live = minus(live, "merged");
    skipIndex.retract(List.of("copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aCompactionThatFailsWithoutAnyOutputVouchesForNothing() {
    copy("copy", 1);
    skipIndex.announce(List.of("copy"), List.of(), SortedTokenSet.of(), false);
    skipIndex.retract(List.of("copy"));
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void rowsThatMovedToSlowAreWatchedThere() {
    copy("copy", 1);
    live = plus(live, "moved down");
    skipIndex.announce(List.of("copy"), List.of("moved down"), SortedTokenSet.of(), false);
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "moved down");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void droppedCopiesAreReadFromSlow() {
    copy("copy", 1, 2);
    live = plus(live, "rest");
    skipIndex.announce(List.of("copy"), List.of("rest"), SortedTokenSet.of(1), false);
    assertThat(leavesOut("slow", 1)).isFalse();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
    assertThat(leavesOut("slow", 2)).isTrue();
  }

  @Test
  void rowsAreNotAddedWhenACompactionMayHaveDroppedThem() {
    live = plus(live, "copy", "rest");
    skipIndex.announce(List.of("copy"), List.of("rest"), SortedTokenSet.of(1), false);
    skipIndex.add(Map.of("slow", SortedTokenSet.of(1)), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isFalse();
    live = minus(live, "copy");
    skipIndex.add(Map.of("slow", SortedTokenSet.of(1)), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aSlowSSTableInheritsWhatItsInputsLeaveOut() {
    copy("copy", 1, 2, 3);
    skipIndex.add(Map.of("other slow", SortedTokenSet.of(1)), List.of("copy"));
    live = plus(live, "merged slow", "rest");
    Map<String, SortedTokenSet> claims =
        Map.of("slow", SortedTokenSet.of(1, 2, 3), "other slow", SortedTokenSet.of(1, 2));
    skipIndex.announce(List.of("copy"), List.of("rest"), SortedTokenSet.of(3), false);
    live = minus(live, "slow", "other slow");
    skipIndex.inherit(claims, "merged slow");
    assertThat(leavesOut("merged slow", 1)).isTrue();
    assertThat(leavesOut("merged slow", 2)).as("not skippable in all inputs").isFalse();
    assertThat(leavesOut("merged slow", 3)).as("dropped meanwhile").isFalse();
    live = minus(live, "copy", "rest");
    assertThat(leavesOut("merged slow", 1)).isFalse();
  }

  @Test
  void nothingIsInheritedOfACopyThatIsGone() {
    copy("copy", 1);
    live = plus(minus(live, "copy", "slow"), "merged slow");
    skipIndex.inherit(Map.of("slow", SortedTokenSet.of(1)), "merged slow");
    assertThat(leavesOut("merged slow", 1)).isFalse();
  }

  @Test
  void whatInputsLeaveOutIsKeptUntilItIsInherited() {
    copy("copy", 1);
    live = plus(live, "merged slow");
    skipIndex.announce(List.of("slow"), List.of("merged slow"), SortedTokenSet.of(), false);
    live = minus(live, "slow");
    skipIndex.retain(live, id -> true);
    skipIndex.inherit(Map.of("slow", SortedTokenSet.of(1)), "merged slow");
    assertThat(leavesOut("merged slow", 1)).isTrue();
    skipIndex.settled(List.of("slow"));
    assertThat(skipIndex.size()).as("without those of the input").isEqualTo(1);
    assertThat(leavesOut("merged slow", 1)).isTrue();
  }

  @Test
  void aCompactionThatFailedKeepsNothing() {
    copy("copy", 1);
    skipIndex.announce(List.of("slow"), List.of("merged slow"), SortedTokenSet.of(), false);
    skipIndex.retract(List.of("slow"));
    skipIndex.settled(List.of("slow"));
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "slow");
    skipIndex.retain(live, id -> true);
    assertThat(skipIndex.size()).isZero();
  }

  @Test
  void tooManyEntriesShrinkToTheNeededOnes() {
    for (int key = 0; key < 150; key++) {
      copy("copy" + key, key);
    }
    assertThat(skipIndex.size()).isEqualTo(150);
    assertThat(skipIndex.isHalfFull()).isTrue();
    skipIndex.retain(live, id -> id < 50);
    assertThat(skipIndex.size()).isEqualTo(50);
    assertThat(skipIndex.isHalfFull()).isFalse();
    assertThat(leavesOut("slow", 49)).isTrue();
    assertThat(leavesOut("slow", 50)).isFalse();
    for (int key = 200; key < 300; key++) {
      copy("copy" + key, key);
    }
    skipIndex.retain(live, id -> true);
    assertThat(skipIndex.size()).isZero();
    assertThat(leavesOut("slow", 49)).isFalse();
  }

  @Test
  void slowSSTablesThatAreGoneAreForgotten() {
    copy("copy", 1);
    skipIndex.retain(Set.of("other slow", "copy"), id -> true);
    assertThat(skipIndex.size()).isZero();
  }

  @Test
  void aCopyIsOneAsLongAsItsSourcesAreThere() {
    copy("copy", 1);
    live = plus(live, "own");
    assertThat(skipIndex.copies()).containsExactly("copy");
    assertThat(skipIndex.sourcesOf(List.of("copy"))).contains(Set.of("slow"));
    assertThat(skipIndex.sourcesOf(List.of("copy", "own"))).isEmpty();
    live = minus(live, "slow");
    assertThat(skipIndex.copies()).isEmpty();
    live = plus(live, "slow");
    assertThat(skipIndex.copies()).as("it was gone for a while").isEmpty();
  }

  @Test
  void aCompactionHandsOnTheRoleOfASource() {
    copy("copy", 1);
    live = plus(live, "merged slow", "rows moved up");
    skipIndex.announce(
        List.of("slow", "other slow"),
        List.of("merged slow", "rows moved up"),
        SortedTokenSet.of(),
        false);
    live = minus(live, "slow", "other slow");
    assertThat(skipIndex.sourcesOf(List.of("copy")))
        .contains(Set.of("merged slow", "rows moved up"));
    live = minus(live, "rows moved up");
    assertThat(skipIndex.copies()).isEmpty();
  }

  @Test
  void copiesMakeCopiesAndWithOtherRowsNone() {
    copy("copy", 1);
    copy("another copy", 2);
    live = plus(live, "both", "mixed", "own");
    skipIndex.announce(
        List.of("copy", "another copy"), List.of("both"), SortedTokenSet.of(2), true);
    live = minus(live, "copy", "another copy");
    assertThat(skipIndex.copies()).containsExactly("both");
    skipIndex.announce(List.of("both", "own"), List.of("mixed"), SortedTokenSet.of(), false);
    live = minus(live, "both", "own");
    assertThat(skipIndex.copies()).isEmpty();
  }

  /** Rows that lie in SSTables as versions: a compaction of Kasane's loses none. */
  @Property
  void noCompactionLosesARow(@ForAll long seed) {
    Map<String, Set<Integer>> sstables = new HashMap<>(Map.of("s0", Set.of(0, 1), "s1", Set.of(1)));
    live = Set.copyOf(sstables.keySet());
    skipIndex =
        new SkipIndex<>(() -> CAPACITY_BYTES, () -> live, moment -> moment, Optional.empty());
    Random random = new Random(seed);
    int next = 2;
    for (int step = 0; step < 60; step++) {
      Set<Integer> before = union(sstables.values());
      List<String> slow = drawn(sstables, "s", random);
      List<String> fast = drawn(sstables, "f", random);
      boolean vanishes = false;
      switch (random.nextInt(6)) {
        case 0 ->
            sstables.put("s" + next++, new HashSet<>(List.of(step, random.nextInt(step + 1))));
        case 1 -> {
          String copy = "f" + next++;
          sstables.put(copy, union(slow.stream().map(sstables::get).toList()));
          live = Set.copyOf(sstables.keySet());
          Map<String, SortedTokenSet> rows = new HashMap<>();
          slow.forEach(s -> rows.put(s, tokens(sstables.get(s))));
          skipIndex.add(rows, List.of(copy));
        }
        case 2 -> {
          String output = "s" + next++;
          sstables.put(output, union(slow.stream().map(sstables::get).toList()));
          live = Set.copyOf(sstables.keySet());
          skipIndex.announce(slow, List.of(output), SortedTokenSet.of(), false);
          sstables.keySet().removeAll(slow);
        }
        case 3 -> {
          Set<Integer> rows = new HashSet<>(union(fast.stream().map(sstables::get).toList()));
          Set<Integer> cooled = new HashSet<>();
          rows.removeIf(row -> random.nextBoolean() && cooled.add(row));
          boolean drops = !fast.isEmpty() && skipIndex.sourcesOf(fast).isPresent();
          List<String> outputs = new ArrayList<>(List.of("f" + next++));
          sstables.put(outputs.get(0), rows);
          if (!drops) {
            outputs.add("s" + next++);
            sstables.put(outputs.get(1), cooled);
          }
          live = Set.copyOf(sstables.keySet());
          skipIndex.announce(fast, outputs, drops ? tokens(cooled) : SortedTokenSet.of(), drops);
          sstables.keySet().removeAll(fast);
        }
        case 4 -> {
          if (sstables.size() > 1 && random.nextInt(3) == 0) {
            sstables.remove(List.copyOf(sstables.keySet()).get(0)); // somebody deletes it
            vanishes = true;
          }
        }
        default -> skipIndex.retain(live, id -> random.nextBoolean());
      }
      live = Set.copyOf(sstables.keySet());
      if (!vanishes) {
        assertThat(union(sstables.values())).as("seed %d, step %d", seed, step).containsAll(before);
      }
    }
  }

  private static Set<Integer> union(Collection<Set<Integer>> sets) {
    Set<Integer> all = new HashSet<>();
    sets.forEach(all::addAll);
    return all;
  }

  private static List<String> drawn(
      Map<String, Set<Integer>> sstables, String prefix, Random random) {
    return sstables.keySet().stream()
        .filter(name -> name.startsWith(prefix) && random.nextBoolean())
        .toList();
  }

  /** Whatever happens to the SSTables, a row is left out only while its data is elsewhere. */
  @Property
  void noRowIsLeftOutWhoseCopyIsGone(@ForAll long seed) {
    live = Set.of("slow"); // one instance serves all tries
    skipIndex =
        new SkipIndex<>(() -> CAPACITY_BYTES, () -> live, moment -> moment, Optional.empty());
    Random random = new Random(seed);
    Map<String, Set<Integer>> homes = new HashMap<>();
    int next = 0;
    for (int step = 0; step < 60; step++) {
      List<String> names = List.copyOf(homes.keySet());
      switch (random.nextInt(4)) {
        case 0 -> {
          String copy = "f" + next++;
          int row = random.nextInt(10);
          homes.put(copy, new HashSet<>(Set.of(row)));
          copy(copy, row);
        }
        case 1 -> {
          if (names.size() >= 2) {
            List<String> inputs = names.subList(0, 2);
            Set<Integer> rows = new HashSet<>(homes.get(inputs.get(0)));
            rows.addAll(homes.get(inputs.get(1)));
            Set<Integer> cooled = new HashSet<>();
            rows.removeIf(row -> random.nextInt(4) == 0 && cooled.add(row));
            Map<String, Set<Integer>> outputs = new HashMap<>();
            if (!rows.isEmpty()) {
              outputs.put("f" + next++, rows);
            }
            boolean drops = random.nextBoolean();
            if (!cooled.isEmpty() && !drops) {
              outputs.put("s" + next++, cooled);
            }
            String[] written = outputs.keySet().toArray(String[]::new);
            live = plus(live, written);
            SortedTokenSet dropped = drops ? tokens(cooled) : SortedTokenSet.of();
            skipIndex.announce(inputs, outputs.keySet(), dropped, false);
            boolean late = random.nextInt(4) == 0;
            if (late && !cooled.isEmpty()) {
              Set<Integer> ofFirst = homes.get(inputs.get(0));
              SortedTokenSet again = tokens(cooled.stream().filter(ofFirst::contains).toList());
              skipIndex.add(Map.of("slow", again), inputs.subList(0, 1));
            }
            if (random.nextInt(5) == 0) {
              live = minus(live, written); // it fails
              skipIndex.retract(inputs);
            } else {
              live = minus(live, inputs.get(0), inputs.get(1));
              inputs.forEach(homes::remove);
              homes.putAll(outputs);
            }
          }
        }
        case 2 -> {
          if (!names.isEmpty() && random.nextInt(4) == 0) {
            homes.remove(names.get(0));
            live = minus(live, names.get(0)); // nobody said so
          }
        }
        default -> {
          for (int row = 0; row < 10; row++) {
            int asked = row;
            boolean elsewhere = homes.values().stream().anyMatch(rows -> rows.contains(asked));
            assertThat(!leavesOut("slow", row) || elsewhere)
                .as("seed %d, step %d, row %d", seed, step, row)
                .isTrue();
          }
        }
      }
    }
  }
}
