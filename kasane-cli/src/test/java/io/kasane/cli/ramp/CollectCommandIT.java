/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.Kasane;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeSettings;
import io.kasane.node.Sessions;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.protocol.RampOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectCommandIT {
  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(900))
          .withGcWindow(Duration.ofSeconds(2));

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession cql;

  @BeforeAll
  void start() {
    cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .nodes(1)
            .each(settings -> settings.withKasane(false).heap("512m"))
            .build()
            .start();
    NodeSettings settings = cluster.node(1).settings();
    cql = Sessions.open(settings.address(), settings.nativePort());
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
  }

  @AfterAll
  void stop() {
    cql.close();
    cluster.close();
  }

  @Test
  void clearsWhatAClientLeft() {
    try (RampSession session = RampSession.builder(cql, "shop").options(OPTIONS).build()) {
      session.put(session.table("orders", Codecs.int64(), Codecs.text()), Map.of(1L, "a", 2L, "b"));
      session.put(session.table("lines", Codecs.int64(), Codecs.text()), 1L, "c");
    }
    assertThat(rows()).isEqualTo(6);

    assertThat(run(2, "shop", "none")).contains("'none' is no table of transactions");
    assertThat(run(2, "shop", "--rows-per-second", "0")).contains("0 is less than 1");
    assertThat(run(0, "shop", "orders")).contains("2 versions collected").contains("Left: 0");
    assertThat(rows()).isEqualTo(4);
    assertThat(run(0, "shop")).contains("1 versions collected");
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  void saysWhatKeyspaceHasNothing() {
    cql.execute(
        "CREATE KEYSPACE plain WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    assertThat(run(1, "plain")).contains("keyspace plain has no tables of transactions");
  }

  private int rows() {
    return cql.execute("SELECT kind FROM shop.orders").all().size()
        + cql.execute("SELECT kind FROM shop.lines").all().size();
  }

  private String run(int code, String... arguments) {
    NodeSettings settings = cluster.node(1).settings();
    List<String> all = new ArrayList<>(List.of("ramp", "collect"));
    all.addAll(List.of(arguments));
    all.addAll(
        List.of("--host", settings.address(), "--port", String.valueOf(settings.nativePort())));
    StringWriter words = new StringWriter();
    PrintWriter out = new PrintWriter(words);
    int found = Kasane.commandLine().setOut(out).setErr(out).execute(all.toArray(String[]::new));
    assertThat(found).as("%s", words).isEqualTo(code);
    return words.toString();
  }
}
