/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MergePositionsTest {
  private record At(int input, int row) {}

  /** As Cassandra does: the next row of an input is taken when its last one was written. */
  @Property
  void knowsWhoHoldsTheRowThatAMergeWrites(
      @ForAll @Size(max = 20) List<@Size(max = 30) Set<@IntRange(max = 50) Integer>> inputs) {
    MergePositions<Integer, Integer> holders = new MergePositions<>();
    Map<Integer, Iterator<Integer>> rows = new HashMap<>();
    PriorityQueue<At> next = new PriorityQueue<>(Comparator.comparingInt(At::row));
    for (int input = 0; input < inputs.size(); input++) {
      holders.follow(input);
      rows.put(input, new TreeSet<>(inputs.get(input)).iterator());
      advance(input, rows, holders, next);
    }
    while (!next.isEmpty()) {
      int row = next.peek().row;
      Set<Integer> expected = new HashSet<>();
      for (int input = 0; input < inputs.size(); input++) {
        if (inputs.get(input).contains(row)) {
          expected.add(input);
        }
      }
      assertThat(holders.at(row)).isEqualTo(expected);
      while (!next.isEmpty() && next.peek().row == row) {
        advance(next.remove().input, rows, holders, next);
      }
    }
  }

  private static void advance(
      int input,
      Map<Integer, Iterator<Integer>> rows,
      MergePositions<Integer, Integer> holders,
      PriorityQueue<At> next) {
    if (rows.get(input).hasNext()) {
      int row = rows.get(input).next();
      holders.movesTo(input, row);
      next.add(new At(input, row));
    }
  }
}
