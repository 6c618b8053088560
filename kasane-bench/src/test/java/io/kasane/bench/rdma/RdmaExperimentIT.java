/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.bench.report.Facts;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The smallest experiment, with a real node. */
@Tag("node")
@Tag("long")
class RdmaExperimentIT {
  private static final Set<String> CHOSEN =
      Set.of(
          "ramp-sockets",
          "ramp-get-plus",
          "ramp-get-star",
          "s2pl-get-plus",
          "cassandra-cql",
          "cassandra-sockets",
          "cassandra-get-star");

  @TempDir private Path dir;

  @Test
  void shouldTellWhatWasReadWithoutTheServer() throws Exception {
    Shape shape = RdmaScale.ycsb().withReadShare(0.9);
    Duration turn = Duration.ofSeconds(2);
    RdmaScale scale = new RdmaScale("test", List.of(shape), 1, turn, turn);
    ResultFolder folder =
        new ResultFolder(
            dir.resolve("out"), Facts.now("rdma", "test", "none", Distribution.locate(), null));
    RdmaExperiment experiment =
        new RdmaExperiment(scale, 1, Contestant.chosen(CHOSEN), 2, 2, Optional.empty());
    StringWriter told = new StringWriter();
    try (TemporaryPlace place = new TemporaryPlace("kasane-rdma")) {
      experiment.run(
          place.directoryInMemory(),
          place.directory(),
          folder,
          new Progress(new PrintWriter(told), false, experiment.steps(), turn));
    }
    assertThat(experiment.isRight()).as(told.toString()).isTrue();

    JsonNode summary = new ObjectMapper().readTree(dir.resolve("out/summary.json").toFile());
    Set<String> seen = new HashSet<>();
    for (JsonNode system : summary.get("systems")) {
      String what = system.toString();
      boolean isOnNode = system.get("store").asText().equals("cassandra");
      String transport = system.get("transport").asText();
      seen.add((isOnNode ? "cassandra" : system.get("name").asText()) + "-" + transport);
      assertThat(system.get("reads").asLong()).as(what).isPositive();
      assertThat(system.get("writes").asLong()).as(what).isPositive();
      assertThat(system.get("failed").asLong()).as(what).isZero();
      assertThat(system.get("fracturedReads").asLong()).as(what).isZero();
      assertThat(system.get("serverCpuMicrosPerTransaction").asDouble()).as(what).isPositive();
      double share = system.get("oneSidedShare").asDouble();
      if (transport.equals("get-star") || (isOnNode && transport.equals("sockets"))) {
        assertThat(share).as(what).isGreaterThan(0.5);
      } else {
        assertThat(share).as(what).isZero();
      }
    }
    assertThat(seen).isEqualTo(CHOSEN);
    assertThat(dir.resolve("out/README.md")).content().contains("| ramp, on a node | get-star |");
  }
}
