/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyBenefitTest {
  private static final long DATA = 1 << 30;
  private static final long QUOTA = DATA / 10;

  private final CopyBenefit copies = new CopyBenefit();
  private long fast;
  private long slow;

  /** Some seconds of 1,000 reads, of which fast serves {@code lift} times its share of the data. */
  private void read(int seconds, double fastShareOfData, double lift, long quota) {
    for (int second = 0; second < seconds; second++) {
      long served = Math.round(1_000 * fastShareOfData * lift);
      fast += served;
      slow += 1_000 - served;
      long fastBytes = (long) (fastShareOfData * DATA);
      copies.observe(fast, slow, fastBytes, DATA - fastBytes, quota);
    }
  }

  @Test
  void shouldCopyWhatIsReadUntilItIsKnownWhatThatIsWorth() {
    assertThat(copies.pays()).isTrue();
    read(20, 0, 0, QUOTA);
    assertThat(copies.pays()).isTrue();
    read(4, 0.001, 1, QUOTA);
    assertThat(copies.pays()).as("four reads of fast").isTrue();
  }

  @Test
  void shouldNotPayWhereAccessIsUniform() {
    read(3, 0.01, 1, QUOTA);
    assertThat(copies.pays()).isFalse();
  }

  @Test
  void shouldGoOnWhereAccessIsSkewedAndBeginAgainWhenItBecomesSo() {
    read(60, 0.07, 9, QUOTA);
    assertThat(copies.pays()).isTrue();
    read(300, 0.07, 1, QUOTA);
    assertThat(copies.pays()).isFalse();
    read(15, 0.07, 6, QUOTA);
    assertThat(copies.pays()).isTrue();
  }

  /** Few reads of fast are expected, and by chance there are twice as many. */
  @Test
  void shouldNotBeginAgainByChance() {
    read(3, 0.002, 1, QUOTA);
    assertThat(copies.pays()).isFalse();
    read(1, 0.002, 6, QUOTA);
    assertThat(copies.pays()).as("18 of 8 expected").isFalse();
    read(2, 0.002, 6, QUOTA);
    assertThat(copies.pays()).as("41 of 11 expected").isTrue();
    read(3, 0.002, 1, QUOTA);
    assertThat(copies.pays()).as("44 of 17 expected, once they pay").isTrue();
  }

  @Test
  void shouldFillAFastDiskThatHoldsMostOfTheTable() {
    read(60, 0.3, 1, DATA);
    assertThat(copies.pays()).isTrue();
  }
}
