/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteppedLimitTest {
  private final SteppedLimit limit = new SteppedLimit();

  private long follow(long foundBytes) {
    limit.follow(foundBytes, 6_400);
    return limit.bytes();
  }

  @Test
  void theLimitFollowsOthersInStepsAndComesBack() {
    assertThat(follow(6_400)).isEqualTo(Long.MAX_VALUE);
    assertThat(follow(6_399)).isEqualTo(6_300);
    for (long found = 6_300; found < 6_500; found++) {
      assertThat(follow(found)).as("%d", found).isEqualTo(6_300);
    }
    assertThat(follow(7_000)).isGreaterThanOrEqualTo(6_400);
    assertThat(follow(3_210)).isEqualTo(3_200);
    assertThat(follow(3_399)).isEqualTo(3_200);
    assertThat(follow(3_400)).isEqualTo(3_300);
    assertThat(follow(0)).isZero();
  }

  @Test
  void aDiskOfFewBytesHasStepsOfOne() {
    limit.follow(0, 20);
    limit.follow(10, 20);
    assertThat(limit.bytes()).isEqualTo(9);
  }
}
