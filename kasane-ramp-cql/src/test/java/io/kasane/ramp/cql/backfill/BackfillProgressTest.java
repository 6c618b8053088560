/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackfillProgressTest {
  private static BackfillProgress at(double share, double begunAt) {
    return BackfillProgress.of(share, BackfillCounts.NONE, Duration.ofSeconds(60), begunAt);
  }

  @Test
  void theRestTakesAsLongAsThisProcessTookForItsPart() {
    assertThat(at(0.25, 0).left()).contains(Duration.ofMinutes(3));
    assertThat(at(0.75, 0.5).left()).contains(Duration.ofMinutes(1));
    assertThat(at(1, 0).left()).contains(Duration.ZERO);
  }

  @Test
  void nobodyKnowsBeforeSomethingIsDone() {
    assertThat(at(0, 0).left()).isEmpty();
    assertThat(at(0.5, 0.5).left()).isEmpty();
  }

  @Test
  void shareIsThatOfTheRing() {
    Run run = Run.beginning(Instant.now(), "a.b");
    assertThat(run.share()).isZero();
    assertThat(run.at(0, BackfillCounts.NONE).share()).isEqualTo(0.5);
    assertThat(run.at(Long.MAX_VALUE, BackfillCounts.NONE).share()).isEqualTo(1);
    assertThat(run.at(Long.MAX_VALUE, BackfillCounts.NONE).isDone()).isTrue();
  }
}
