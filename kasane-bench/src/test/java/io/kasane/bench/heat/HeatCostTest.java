/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.NodeException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class HeatCostTest {
  @TempDir private Path dir;

  @Test
  void theFiguresAreThoseOfATracker() {
    HeatCost cost = new HeatCostTrial(200_000, 0.9, dir).run(step -> {});
    assertThat(cost.trackedKeys()).isBetween(150_000L, 200_000L);
    assertThat(cost.bytesPerKey()).isBetween(8.0, 30.0);
    assertThat(cost.fileBytes()).isBetween(9 * 150_000L, 10 * 200_000L);
    assertThat(List.of(cost.hits1(), cost.hits5(), cost.hits10()))
        .allSatisfy(hits -> assertThat(hits).isBetween(0.97, 1.02));
    assertThat(dir).isEmptyDirectory();
    assertThat(HeatCost.table(List.of(cost))).contains("| 200,000 | 0.90 |");
  }

  @ParameterizedTest
  @CsvSource({"--keys=5, 5 is not from", "--keys=2000000000, to 200", "--zipf=1, take 0.99"})
  void whatCannotBeMeasuredIsRefused(String argument, String words) {
    HeatCostCommand command = new HeatCostCommand();
    new CommandLine(command).parseArgs(argument);
    assertThatThrownBy(command::call).isInstanceOf(NodeException.class).hasMessageContaining(words);
  }
}
