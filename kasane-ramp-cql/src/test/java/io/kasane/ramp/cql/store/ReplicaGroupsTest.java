/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplicaGroupsTest {
  /** The replicas of a partition are its number modulo 3, and of 9 nobody knows them. */
  private static Set<?> replicas(ByteBuffer partition) {
    int number = partition.get(0);
    return number == 9 ? Set.of() : Set.of("node" + number % 3);
  }

  private static ByteBuffer partition(int number) {
    return ByteBuffer.wrap(new byte[] {(byte) number});
  }

  private static List<List<Integer>> groups(
      List<Integer> numbers, int maxRows, long maxBytes, boolean oddApart) {
    return new ReplicaGroups(ReplicaGroupsTest::replicas, maxRows, maxBytes)
        .of(
            numbers,
            ReplicaGroupsTest::partition,
            number -> oddApart ? number % 2 : 0,
            number -> number);
  }

  @Test
  void whatTheSameReplicasHoldTravelsTogether() {
    assertThat(groups(List.of(1, 2, 4, 5, 7, 3), 10, 100, false))
        .containsExactly(List.of(1, 4, 7), List.of(2, 5), List.of(3));
  }

  @Test
  void whatMayBeAnywhereTravelsTogetherWhoeverHoldsIt() {
    assertThat(
            ReplicaGroups.anywhere(3)
                .of(List.of(1, 2, 9, 4), ReplicaGroupsTest::partition, number -> 0, number -> 0))
        .containsExactly(List.of(1, 2, 9), List.of(4));
  }

  @Test
  void kindsTravelApart() {
    assertThat(groups(List.of(1, 4, 7), 10, 100, true)).containsExactly(List.of(1, 7), List.of(4));
  }

  @Test
  void whatNobodyHoldsTravelsAlone() {
    assertThat(groups(List.of(9, 9, 3, 6), 10, 100, false))
        .containsExactly(List.of(9), List.of(9), List.of(3, 6));
  }

  @Test
  void aGroupOfOneIsNone() {
    assertThat(groups(List.of(3, 6), 1, 100, false)).containsExactly(List.of(3), List.of(6));
  }

  @Test
  void whatIsTooHeavyTravelsAlone() {
    assertThat(groups(List.of(8, 2, 2, 2), 10, 5, false))
        .containsExactly(List.of(8), List.of(2, 2), List.of(2));
  }

  @Property
  void nothingIsLostAndNoBoundIsBroken(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 9) Integer> numbers,
      @ForAll @IntRange(min = 1, max = 12) int maxRows,
      @ForAll @IntRange(min = 1, max = 40) int maxBytes,
      @ForAll boolean oddApart) {
    List<List<Integer>> groups = groups(numbers, maxRows, maxBytes, oddApart);
    assertThat(groups.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(numbers);
    for (List<Integer> group : groups) {
      assertThat(group).isNotEmpty().hasSizeLessThanOrEqualTo(maxRows);
      if (group.size() > 1) {
        assertThat(group.stream().mapToInt(each -> each).sum()).isLessThanOrEqualTo(maxBytes);
      }
      assertThat(group.stream().map(each -> replicas(partition(each))).collect(Collectors.toSet()))
          .hasSize(1);
    }
  }
}
