/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.hotset.Temperature;
import org.junit.jupiter.api.Test;

class CopyAdmissionTest {
  private static final long DATA = 100_000_000;

  private final CopyAdmission rule = new CopyAdmission();
  private long reads;
  private long slow;

  /** Some seconds of 1,000 reads, of which fast serves a share; it holds 7 % of the data. */
  private boolean read(int seconds, double fastShare) {
    boolean fell = false;
    for (int second = 0; second < seconds; second++) {
      reads += 1_000;
      slow += Math.round(1_000 * (1 - fastShare));
      long fastBytes = (long) (0.07 * DATA);
      fell |=
          rule.observe(
              new CopyAdmission.Reads(reads, reads - slow, slow),
              new CopyAdmission.Bytes(fastBytes, DATA - fastBytes, DATA / 10),
              true);
    }
    return fell;
  }

  private boolean wantsCold(double heat, double leastHeat) {
    return rule.wants(Temperature.COLD, heat, leastHeat);
  }

  @Test
  void shouldCopyHotRowsAndUnknownOnesWhereThereIsRoom() {
    assertThat(rule.wants(Temperature.HOT, 1, 3)).isTrue();
    assertThat(rule.wants(Temperature.UNKNOWN, 0, 3)).isFalse();
    rule.setRoomForUnknown(true);
    assertThat(rule.wants(Temperature.UNKNOWN, 0, 3)).isTrue();
    assertThat(wantsCold(3, 3)).isFalse();
  }

  @Test
  void shouldCopyOnlyWhatIsClearlyHotterWhereAccessIsUniform() {
    read(60, 0.07);
    rule.setRoomForUnknown(true);
    assertThat(rule.wants(Temperature.HOT, 10, 9)).isFalse();
    assertThat(rule.wants(Temperature.UNKNOWN, 0, 0.5)).isFalse();
    assertThat(wantsCold(2, 0.5)).as("two reads").isFalse();
    assertThat(wantsCold(3, 0.5)).as("three reads").isTrue();
    assertThat(wantsCold(19, 9)).as("one above the limit").isTrue();
    assertThat(wantsCold(14, 9)).as("one below the limit").isFalse();
  }

  @Test
  void shouldChangePlacesOfLikeRowsOnlyWhileTheShareMoves() {
    read(3, 0.6);
    assertThat(wantsCold(3, 3)).as("no hotter").isFalse();
    assertThat(wantsCold(4, 3)).as("hotter by a read").isTrue();
    read(60, 0.6);
    assertThat(wantsCold(4, 3)).as("hotter by a read, once the share has settled").isFalse();
    assertThat(wantsCold(5, 3)).as("hotter by two reads").isTrue();
  }

  @Test
  void shouldNotLetRowsInAtTheirFirstReadWhereHeatWasHalved() {
    read(3, 0.6);
    assertThat(wantsCold(1, 0.5)).as("one read").isFalse();
    assertThat(wantsCold(2, 0.5)).as("two reads").isTrue();
    assertThat(wantsCold(2, 1)).as("two reads, of one that was halved").isTrue();
  }

  @Test
  void shouldTellWhenOtherRowsAreRead() {
    assertThat(read(60, 0.6)).isFalse();
    assertThat(read(10, 0.2)).isTrue();
    assertThat(wantsCold(4, 3)).as("as if nothing had settled").isTrue();
  }
}
