/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeTry;

class CopySourcesTest {
  private static final int FEW = 3;

  private Lineage<Integer> lineage;
  private List<Set<Integer>> lost;
  private CopySources<Integer> known;
  private Set<Integer> live;
  private int next;
  private boolean hasLost;

  @BeforeTry
  void forgetAll() {
    lineage = new Lineage<>();
    lost = new ArrayList<>();
    known = new CopySources<>(lineage, FEW, lost::add);
    live = new HashSet<>();
    next = 0;
    hasLost = false;
  }

  private Set<Integer> begin(int count) {
    Set<Integer> begun =
        IntStream.range(next, next + count).boxed().collect(Collectors.toCollection(HashSet::new));
    next += count;
    live.addAll(begun);
    return begun;
  }

  /** What is known rests on the sources of each copy and, of copies of many, of the others'. */
  @Property(tries = 300)
  void copiesAreNoMoreThanTheyAre(@ForAll long seed) {
    Random random = new Random(seed);
    Map<Integer, Set<Integer>> exact = new HashMap<>();
    Set<Integer> sources = begin(8);
    for (int step = 0; step < 60; step++) {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          Set<Integer> copies = begin(1 + random.nextInt(2));
          Set<Integer> of = some(sources, random);
          known.set(copies, of);
          copies.forEach(copy -> exact.put(copy, of));
        }
        case 3 -> {
          Set<Integer> merged = some(sources, random);
          Set<Integer> successors = begin(1 + random.nextInt(4));
          lineage.announce(merged, successors, true);
          live.removeAll(merged);
          sources.removeAll(merged);
          sources.addAll(successors);
          exact.replaceAll((copy, of) -> following(of, merged, successors));
          if (successors.size() > 1 && random.nextBoolean()) {
            if (random.nextBoolean()) {
              assertThat(known.copies(live)).isNotNull(); // it is a source for a while
            }
            Integer brought = successors.iterator().next();
            successors.remove(brought);
            known.set(Set.of(brought), successors);
            exact.replaceAll((copy, of) -> following(of, Set.of(brought), successors));
            exact.put(brought, Set.copyOf(successors));
            sources.remove(brought);
          }
        }
        case 4 -> {
          if (random.nextInt(4) == 0) {
            Integer gone = some(sources, random).iterator().next();
            live.remove(gone);
            sources.remove(gone);
            hasLost = true;
            exact.values().removeIf(of -> of.contains(gone));
          }
          sources.addAll(begin(2));
        }
        default -> {
          Set<Integer> gone = some(exact.keySet(), random);
          live.removeAll(gone);
          exact.keySet().removeAll(gone);
          known.retain(live);
        }
      }
      requireNoMoreThan(exact);
    }
    CopySources<Integer> restored = new CopySources<>(lineage, FEW, lost::add);
    restored.restore(known.all());
    assertThat(restored.copies(live)).isEqualTo(known.copies(live));
  }

  private void requireNoMoreThan(Map<Integer, Set<Integer>> exact) {
    Set<Integer> copies = known.copies(live);
    assertThat(exact.keySet()).containsAll(copies);
    for (Integer copy : copies) {
      Optional<Set<Integer>> of = known.of(Set.of(copy), live);
      assertThat(of).isPresent();
      assertThat(of.get()).containsAll(exact.get(copy));
      assertThat(live).containsAll(of.get());
    }
    // Nothing is forgotten but what shares its sources with something that was lost.
    if (!hasLost) {
      assertThat(copies).isEqualTo(exact.keySet());
    }
  }

  private static Set<Integer> following(
      Set<Integer> of, Set<Integer> merged, Set<Integer> successors) {
    if (of.stream().noneMatch(merged::contains)) {
      return of;
    }
    Set<Integer> now = new HashSet<>(of);
    now.removeAll(merged);
    now.addAll(successors);
    return now;
  }

  /** At least one, if there is any. */
  private static Set<Integer> some(Set<Integer> all, Random random) {
    List<Integer> left = new ArrayList<>(all);
    Set<Integer> some = new HashSet<>();
    for (int i = random.nextInt(FEW + 3); i >= 0 && !left.isEmpty(); i--) {
      some.add(left.remove(random.nextInt(left.size())));
    }
    return some;
  }

  @Example
  void manySourcesAreKnownOnce() {
    Set<Integer> sources = begin(5_000);
    Set<Integer> first = known.set(begin(1), sources);
    for (int i = 0; i < 5_000; i++) {
      assertThat(known.set(begin(1), sources)).isSameAs(first);
    }
    assertThat(known.copies(live)).hasSize(5_001);
    assertThat(known.all().values()).allSatisfy(of -> assertThat(of).isSameAs(first));
    Set<Integer> successor = begin(1);
    lineage.announce(Set.of(0, 1), successor, true);
    live.removeAll(Set.of(0, 1));
    assertThat(known.copies(live)).hasSize(5_001);
    assertThat(known.set(begin(1), sources)).isNotSameAs(first);
    live.remove(2);
    assertThat(known.copies(live)).isEmpty();
    assertThat(lost).hasSize(1);
    Set<Integer> again = begin(1);
    known.set(again, Set.of(10, 11, 12, 13));
    assertThat(known.copies(live)).isEqualTo(again);
  }
}
