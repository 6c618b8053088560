/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RedundantRowsTest {
  private Set<String> live = Set.of("slow", "other slow");
  private RedundantRows<Set<String>, String> redundant =
      new RedundantRows<>(100, () -> live, moment -> moment, Optional.empty());

  private static ByteBuffer bytes(int key) {
    return ByteBuffer.allocate(4).putInt(0, key);
  }

  private static RowKey key(int key) {
    return new RowKey(key, bytes(key));
  }

  private boolean leavesOut(String slow, int key) {
    return redundant.contains(slow, key, bytes(key));
  }

  private void copy(String copy, int... keys) {
    live = plus(live, copy);
    List<RowKey> rows = new ArrayList<>();
    for (int key : keys) {
      rows.add(key(key));
    }
    redundant.add(Map.of("slow", rows), List.of(copy));
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

  @Test
  void aCopyThatIsGoneBeforeItIsAddedCountsNothing() {
    redundant.add(Map.of("slow", List.of(key(1))), List.of("gone"));
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void anAnnouncedCompactionHandsTheRowsOn() {
    copy("copy", 1);
    live = plus(live, "merged");
    redundant.announce(List.of("copy", "flushed"), List.of("merged"), List.of());
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "merged");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aCopyThatWasCompactedBeforeItIsAddedLivesOnInTheOutput() {
    live = plus(live, "copy", "merged", "merged again");
    redundant.announce(List.of("copy"), List.of("merged"), List.of());
    redundant.announce(List.of("merged"), List.of("merged again"), List.of());
    live = minus(live, "copy", "merged");
    redundant.add(Map.of("slow", List.of(key(1))), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "merged again");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aCompactionThatFailsAfterItWasAnnouncedChangesNothing() {
    copy("copy", 1);
    live = plus(live, "merged");
    redundant.announce(List.of("copy"), List.of("merged"), List.of());
    live = minus(live, "merged");
    redundant.retract(List.of("copy"));
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aCompactionThatFailsWithoutAnyOutputVouchesForNothing() {
    copy("copy", 1);
    redundant.announce(List.of("copy"), List.of(), List.of());
    redundant.retract(List.of("copy"));
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void rowsThatMovedToSlowAreWatchedThere() {
    copy("copy", 1);
    live = plus(live, "moved down");
    redundant.announce(List.of("copy"), List.of("moved down"), List.of());
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isTrue();
    live = minus(live, "moved down");
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void droppedCopiesAreReadFromSlow() {
    copy("copy", 1, 2);
    live = plus(live, "rest");
    redundant.announce(List.of("copy"), List.of("rest"), List.of(key(1)));
    assertThat(leavesOut("slow", 1)).isFalse();
    live = minus(live, "copy");
    assertThat(leavesOut("slow", 1)).isFalse();
    assertThat(leavesOut("slow", 2)).isTrue();
  }

  @Test
  void rowsAreNotAddedWhenACompactionMayHaveDroppedThem() {
    live = plus(live, "copy", "rest");
    redundant.announce(List.of("copy"), List.of("rest"), List.of(key(1)));
    redundant.add(Map.of("slow", List.of(key(1))), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isFalse();
    live = minus(live, "copy");
    redundant.add(Map.of("slow", List.of(key(1))), List.of("copy"));
    assertThat(leavesOut("slow", 1)).isFalse();
  }

  @Test
  void aSlowSSTableInheritsWhatItsInputsLeaveOut() {
    copy("copy", 1, 2, 3);
    redundant.add(Map.of("other slow", List.of(key(1))), List.of("copy"));
    live = plus(live, "merged slow", "rest");
    Map<String, List<RowKey>> claims =
        Map.of("slow", List.of(key(1), key(2), key(3)), "other slow", List.of(key(1), key(2)));
    redundant.announce(List.of("copy"), List.of("rest"), List.of(key(3)));
    live = minus(live, "slow", "other slow");
    redundant.inherit(claims, "merged slow");
    assertThat(leavesOut("merged slow", 1)).isTrue();
    assertThat(leavesOut("merged slow", 2)).as("not redundant in all inputs").isFalse();
    assertThat(leavesOut("merged slow", 3)).as("dropped meanwhile").isFalse();
    live = minus(live, "copy", "rest");
    assertThat(leavesOut("merged slow", 1)).isFalse();
  }

  @Test
  void nothingIsInheritedOfACopyThatIsGone() {
    copy("copy", 1);
    live = plus(minus(live, "copy", "slow"), "merged slow");
    redundant.inherit(Map.of("slow", List.of(key(1))), "merged slow");
    assertThat(leavesOut("merged slow", 1)).isFalse();
  }

  @Test
  void tooManyEntriesShrinkToTheNeededOnes() {
    for (int key = 0; key < 150; key++) {
      copy("copy" + key, key);
    }
    assertThat(redundant.size()).isEqualTo(150);
    assertThat(redundant.isHalfFull()).isTrue();
    redundant.retain(live, id -> id < 50);
    assertThat(redundant.size()).isEqualTo(50);
    assertThat(redundant.isHalfFull()).isFalse();
    assertThat(leavesOut("slow", 49)).isTrue();
    assertThat(leavesOut("slow", 50)).isFalse();
    for (int key = 200; key < 300; key++) {
      copy("copy" + key, key);
    }
    redundant.retain(live, id -> true);
    assertThat(redundant.size()).isZero();
    assertThat(leavesOut("slow", 49)).isFalse();
  }

  @Test
  void slowSSTablesThatAreGoneAreForgotten() {
    copy("copy", 1);
    redundant.retain(Set.of("other slow", "copy"), id -> true);
    assertThat(redundant.size()).isZero();
  }

  /** Whatever happens to the SSTables, a row is left out only while its data is elsewhere. */
  @Property
  void noRowIsLeftOutWhoseCopyIsGone(@ForAll long seed) {
    live = Set.of("slow"); // one instance serves all tries
    redundant = new RedundantRows<>(100, () -> live, moment -> moment, Optional.empty());
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
            List<RowKey> dropped =
                drops ? cooled.stream().map(RedundantRowsTest::key).toList() : List.of();
            redundant.announce(inputs, outputs.keySet(), dropped);
            boolean late = random.nextInt(4) == 0;
            if (late && !cooled.isEmpty()) {
              List<RowKey> again = cooled.stream().map(RedundantRowsTest::key).toList();
              redundant.add(Map.of("slow", again), inputs.subList(0, 1));
            }
            if (random.nextInt(5) == 0) {
              live = minus(live, written); // it fails
              redundant.retract(inputs);
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
