/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.heat.track.HeatTrackerOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimTest {

  @Test
  void readsBigEndianInts(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("a.trace");
    Files.write(file, ByteBuffer.allocate(12).putInt(7).putInt(-1).putInt(7).array());
    Trace trace = Trace.read(file);
    assertThat(trace.name()).isEqualTo("a.trace");
    assertThat(trace.length()).isEqualTo(3);
    assertThat(trace.distinctKeys()).isEqualTo(2);
    assertThat(trace.keyAt(0)).isEqualTo(7);
    assertThat(trace.keyAt(1)).isEqualTo(-1);
    assertThatThrownBy(() -> Trace.read("cut", new ByteArrayInputStream(new byte[5])))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("5 bytes");
  }

  @ParameterizedTest
  @CsvSource({"0.75", "0.9", "0.99", "1.2", "0"})
  void zipfIsExact(double s) {
    int keys = 1000;
    int accesses = 1_000_000;
    Trace trace = Trace.zipf(keys, s, accesses, 5);
    double sum = 0;
    for (int r = 1; r <= keys; r++) {
      sum += Math.pow(r, -s);
    }
    int[] counts = new int[keys];
    for (int i = 0; i < accesses; i++) {
      counts[trace.keyAt(i)]++;
    }
    double chi = 0;
    for (int r = 1; r <= keys; r++) {
      double expected = accesses * Math.pow(r, -s) / sum;
      chi += (counts[r - 1] - expected) * (counts[r - 1] - expected) / expected;
    }
    // chi-square with 999 degrees of freedom: mean 999, standard deviation 45
    assertThat(chi).isBetween(800.0, 1200.0);
  }

  @Test
  void scrambledZipfIsAsFlatAsThatOfYcsb() {
    Trace trace = Trace.scrambledZipf(1_000_000, 0.99, 2_000_000, 5);
    Trace again = Trace.scrambledZipf(1_000_000, 0.99, 10, 5);
    assertThat(again.keyAt(9)).isEqualTo(trace.keyAt(9));
    // about 0.53 in the long run; a short trace adds the luck of its rare keys
    assertThat(Replay.clairvoyant(trace, 100_000, 1).share()).isBetween(0.5, 0.65);
  }

  @Test
  void oracleIsExact() {
    Oracle oracle = new Oracle();
    for (int key : new int[] {3, 3, -9, 3, 5, 5}) {
      oracle.record(key);
    }
    assertThat(oracle.hottest(2)).isEqualTo(Set.of(3, 5));
    assertThat(oracle.hottest(9)).isEqualTo(Set.of(3, 5, -9));
    assertThat(oracle.count(-9)).isEqualTo(1);
    assertThat(oracle.count(4)).isZero();
  }

  @Test
  void replayCountsOnlyWhatFollowsAChoice() {
    Trace trace = Trace.of("t", 1, 1, 2, 1, 2, 2);
    Hits online = Replay.run(trace, new OracleChooser(1), 2);
    assertThat(online.share()).isEqualTo(1 / 6.0);
    assertThat(online.share(2, 4)).isEqualTo(0.5);
    assertThat(online.share(4, 6)).isZero();
    assertThat(Replay.clairvoyant(trace, 1, 1).share()).isEqualTo(0.5);
    assertThat(Replay.clairvoyant(trace, 1, 2).share()).isEqualTo(4 / 6.0);
    TrackedChooser tracked =
        new TrackedChooser(HeatTrackerOptions.defaults(), new BudgetPolicy(() -> 1, 1), 1);
    assertThat(Replay.run(trace, tracked, 2).share()).isEqualTo(1 / 6.0);
  }

  @Test
  void aPeriodOfATrackedChooserIsANumberOfAccesses() {
    Trace trace = Trace.of("t", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2);
    TrackedChooser window =
        new TrackedChooser(
            HeatTrackerOptions.defaults().withPeriodMillis(10), new WindowPolicy(1), 1);
    Hits hits = Replay.run(trace, window, 10);
    assertThat(hits.at().stream()).containsExactly(21);
    assertThat(hits.meanHotKeys()).isEqualTo(1);
  }

  @Test
  void keysMoveFromPhaseToPhase() {
    Trace moving = Trace.of("t", 0, 1, 0, 1, 0, 3).moving(4, 2);
    assertThat(IntStream.range(0, 6).map(moving::keyAt)).containsExactly(0, 1, 0, 3, 2, 1);
  }

  /** The product's promise in small: a tracker of twice the budget is nearly as good as exact. */
  @ParameterizedTest
  @CsvSource({"0.75, 1, 4", "0.75, 10, 2", "0.90, 5, 0", "0.99, 1, 0", "0.99, 1, 2"})
  void budgetComesCloseToTheOracle(double s, int percent, int capacityFactor) {
    int keys = 100_000;
    int budget = keys * percent / 100;
    Trace trace = Trace.zipf(keys, s, 750_000, 9);
    int capacity = capacityFactor == 0 ? keys : capacityFactor * budget;
    TrackedChooser tracked =
        new TrackedChooser(
            HeatTrackerOptions.defaults().withCapacityKeys(capacity),
            new BudgetPolicy(() -> budget, 1),
            3);
    double hits = Replay.run(trace, tracked, 20_000).share();
    double oracle = Replay.run(trace, new OracleChooser(budget), 20_000).share();
    assertThat(hits / oracle).isGreaterThanOrEqualTo(0.96).isCloseTo(1, within(0.05));
  }
}
