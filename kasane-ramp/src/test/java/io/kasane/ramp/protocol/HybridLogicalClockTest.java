/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HybridLogicalClockTest {
  private static final Duration DRIFT = Duration.ofSeconds(30);

  private final ManualEnvironment environment = new ManualEnvironment(1);
  private final HybridLogicalClock clock = new HybridLogicalClock(environment, DRIFT, true);

  private Timestamp ofFastClock(Duration ahead) {
    return new Timestamp(environment.wallMicros() + ahead.toNanos() / 1000, 7);
  }

  @Test
  void isTheWallClockWhereNobodyIsAhead() {
    clock.observe(ofFastClock(Duration.ofSeconds(-1)));
    environment.pass(Duration.ofSeconds(5));
    assertThat(clock.next().micros()).isEqualTo(environment.wallMicros());
  }

  /** Else a slow clock loses every race for a key that fast ones write all the time. */
  @Test
  void goesOnFromWhatItSawNearlyAsFastAsTime() {
    Duration ahead = Duration.ofSeconds(20);
    clock.placeAbove(ofFastClock(ahead));
    environment.pass(Duration.ofMillis(100));

    assertThat(clock.next().isAfter(ofFastClock(ahead.minusMillis(11)))).isTrue();
    assertThat(clock.next().isAfter(ofFastClock(ahead))).isFalse();
  }

  @Test
  void comesBackToTheWallClockWhenNobodyIsAheadAnyMore() {
    clock.placeAbove(ofFastClock(Duration.ofSeconds(20)));
    environment.pass(Duration.ofSeconds(199));
    assertThat(clock.next().micros()).isGreaterThan(environment.wallMicros());
    environment.pass(Duration.ofSeconds(2));
    assertThat(clock.next().micros()).isEqualTo(environment.wallMicros());
  }

  /** However often they see each other's timestamps, nobody drives anybody. */
  @Test
  void clocksThatFollowEachOtherDoNotRunAway() {
    HybridLogicalClock other = new HybridLogicalClock(environment, DRIFT, true);
    clock.placeAbove(ofFastClock(Duration.ofSeconds(20)));
    for (int exchange = 0; exchange < 20_000; exchange++) {
      environment.pass(Duration.ofMillis(5));
      other.placeAbove(clock.next());
      environment.pass(Duration.ofMillis(5));
      clock.placeAbove(other.next());
    }
    long aheadMicros = clock.next().micros() - environment.wallMicros();
    assertThat(aheadMicros).isBetween(0L, 1_000_000L);
  }

  @Test
  void followsNobodyWhoIsTooFarAhead() {
    Timestamp absurd = ofFastClock(DRIFT.plusSeconds(1));
    assertThatThrownBy(() -> clock.placeAbove(absurd)).isInstanceOf(ClockDriftException.class);
    environment.pass(Duration.ofSeconds(1));
    assertThat(clock.next().micros()).isEqualTo(environment.wallMicros());
  }

  @Test
  void timestampsGrowWhereTheWallClockIsSetBack() {
    Timestamp first = clock.next();
    clock.placeAbove(ofFastClock(Duration.ofSeconds(3)));
    Timestamp second = clock.next();
    environment.skew(Duration.ofSeconds(-100));
    Timestamp third = clock.next();
    environment.pass(Duration.ofSeconds(1));
    Timestamp fourth = clock.next();

    assertThat(second.isAfter(first)).isTrue();
    assertThat(third.isAfter(second)).isTrue();
    assertThat(fourth.micros() - third.micros()).isBetween(800_000L, 1_000_000L);
  }

  /** A put of a clock that fell back would lie below what sweeps take for known. */
  @Test
  void aClockThatIsSetBetweenTwoChecksIsNotRight() {
    clock.isAhead(Duration.ofSeconds(1));
    environment.pass(Duration.ofSeconds(50));
    assertThat(clock.isRight()).isTrue();

    environment.skew(Duration.ofMinutes(-1));
    assertThat(clock.isRight()).isFalse();
    assertThatThrownBy(clock::requireRight).isInstanceOf(ClockDriftException.class);

    clock.isAhead(Duration.ZERO);
    assertThat(clock.isRight()).isTrue();
  }
}
