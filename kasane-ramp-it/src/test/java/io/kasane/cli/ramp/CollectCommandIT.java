/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.Kasane;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.RampOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(StockNode.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectCommandIT {
  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(900))
          .withGcWindow(Duration.ofSeconds(4));

  private LocalNode node;
  private CqlSession cql;

  @BeforeAll
  void start(LocalNode shared, CqlSession driver) {
    node = shared;
    cql = driver;
    cql.execute(
        "CREATE KEYSPACE left WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
  }

  @Test
  void clearsWhatAClientLeft() {
    try (RampSession session = RampSession.builder(cql, "left").options(OPTIONS).build()) {
      RampTable<Long, String> orders = session.table("orders", Codecs.int64(), Codecs.text());
      RampTable<Long, String> lines = session.table("lines", Codecs.int64(), Codecs.text());
      // Within the window, after which the session itself collects.
      session.put(orders, Map.of(1L, "a", 2L, "b"));
      session.put(lines, 1L, "c");
    }
    assertThat(rows()).isEqualTo(6);

    assertThat(run(2, "left", "none")).contains("'none' is no table of transactions");
    assertThat(run(2, "left", "--rows-per-second", "0")).contains("0 is less than 1");
    assertThat(run(0, "left", "orders")).contains("2 versions collected").contains("Left: 0");
    assertThat(rows()).isEqualTo(4);
    assertThat(run(0, "left")).contains("1 versions collected");
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
    return cql.execute("SELECT kind FROM left.orders").all().size()
        + cql.execute("SELECT kind FROM left.lines").all().size();
  }

  private String run(int code, String... arguments) {
    NodeSettings settings = node.settings();
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
