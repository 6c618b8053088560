/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeSettings;
import io.kasane.ramp.cql.RampSession;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the examples do, for a moment, on a node that they share. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesIT {
  private static final Duration TIME = Duration.ofSeconds(2);

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void start() {
    cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(node -> node.withKasane(false).heap("512m"))
            .build()
            .start();
    NodeSettings node = cluster.node(1).settings();
    cql = Example.connect(node.address(), node.nativePort(), "datacenter1");
    Example.createKeyspace(cql, "datacenter1", 1);
    session = RampSession.open(cql, Example.KEYSPACE);
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    if (cql != null) {
      cql.close();
    }
    cluster.close();
  }

  static Stream<Example> examples() {
    return Stream.of(new FollowerList(), new OrderWithLines(), new IndexThatNeverMisses());
  }

  @ParameterizedTest
  @MethodSource
  void examples(Example example) throws InterruptedException {
    Race.Score stock = Race.run(example.batches(cql), TIME);
    Race.Score ramp = Race.run(example.transactions(session), TIME);
    assertThat(List.of(stock.writes(), stock.reads(), ramp.writes(), ramp.reads()))
        .as("writes and reads of both")
        .allMatch(count -> count > 0);
    assertThat(ramp.halves()).as("halves seen").isZero();
  }

  @Test
  void theFirstProgramPrintsWhatItWrote() {
    NodeSettings node = cluster.node(1).settings();
    Map<String, String> driver =
        Map.of(
            "datastax-java-driver.basic.contact-points.0",
            node.address() + ":" + node.nativePort(),
            "datastax-java-driver.basic.load-balancing-policy.local-datacenter",
            "datacenter1",
            "datastax-java-driver.basic.request.timeout",
            "20 seconds");
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try {
      driver.forEach(System::setProperty);
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      FirstProgram.main(new String[0]);
    } finally {
      System.setOut(out);
      driver.keySet().forEach(System::clearProperty);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).strip())
        .isEqualTo("for Ada {1=2 pears, 2=3 plums}");
  }
}
