/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.Kasane;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.backfill.Backfill;
import io.kasane.ramp.cql.use.Checkable;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

/** The steps of docs/develop/backfill.md, from a shell. */
@Tag("node")
@ExtendWith(StockNode.class)
class BackfillCommandIT {
  private static final int ROWS = 300;

  private static LocalNode node;
  private static CqlSession cql;

  @BeforeAll
  static void start(LocalNode shared, CqlSession driver) {
    node = shared;
    cql = driver;
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    cql.execute("CREATE TABLE shop.people_old (id int PRIMARY KEY, city text)");
    for (int id = 0; id < ROWS; id++) {
      cql.execute("INSERT INTO shop.people_old (id, city) VALUES (?, ?)", id, "city " + id % 3);
    }
  }

  private static SecondaryIndex<Integer, String, String> people(RampSession session) {
    return SecondaryIndex.open(
        session,
        RowTable.of("people", Codecs.int32(), Codecs.text()),
        "people_by_city",
        Codecs.text(),
        Set::of);
  }

  /** Opens the index. */
  public static final class People implements Function<RampSession, Checkable> {
    @Override
    public Checkable apply(RampSession session) {
      return people(session);
    }
  }

  /** Copies its rows. */
  public static final class PeopleBackfill implements Function<RampSession, Backfill> {
    @Override
    public Backfill apply(RampSession session) {
      SecondaryIndex<Integer, String, String> people = people(session);
      return Backfill.of(
          "shop",
          "people_old",
          row -> Stream.of(people.seed(row.getInt("id"), row.getString("city"))));
    }
  }

  private final StringWriter out = new StringWriter();

  private int execute(String command, Class<?> use, String... options) {
    out.getBuffer().setLength(0);
    PrintWriter printer = new PrintWriter(out);
    CommandLine commandLine = Kasane.commandLine().setOut(printer).setErr(printer);
    Stream<String> fixed =
        Stream.of(
            "ramp",
            command,
            "shop",
            "people",
            "--class-path",
            ".",
            "--use",
            use.getName(),
            "--host",
            node.settings().address(),
            "--port",
            String.valueOf(node.settings().nativePort()));
    return commandLine.execute(Stream.concat(fixed, Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void theStepsLeadToAnIndexThatFindsAllRows() {
    try (RampSession session = RampSession.open(cql, "shop")) {
      SecondaryIndex<Integer, String, String> people = people(session);
      people.put(session, 7, "elsewhere");

      assertThat(execute("backfill", PeopleBackfill.class, "--verify")).isEqualTo(1);
      assertThat(out.toString()).contains("300 rows read, 300 values made of them, 299 missing.");

      assertThat(execute("backfill", PeopleBackfill.class, "--rows-per-second", "5000")).isZero();
      assertThat(out.toString())
          .contains("100.0 %, 300 rows")
          .contains("300 rows read, 300 values made of them, 299 written");
      assertThat(execute("backfill", PeopleBackfill.class, "--restart")).isZero();
      assertThat(out.toString()).contains("0 written");
      assertThat(execute("verify", People.class)).isEqualTo(1);
      assertThat(out.toString()).contains("300 rows: 299 entries missing");
      assertThat(execute("rebuild", People.class)).isZero();
      assertThat(execute("verify", People.class)).isZero();
      assertThat(execute("backfill", PeopleBackfill.class, "--verify")).isZero();
      assertThat(out.toString()).contains(" 0 missing.");

      assertThat(people.find(session.newSession(), "city 1")).hasSize(99).doesNotContainKey(7);
      assertThat(people.find(session.newSession(), "elsewhere")).containsOnlyKeys(7);
    }
  }

  @Test
  void aClassThatOpensSomethingElseIsRefused() {
    assertThat(execute("backfill", People.class)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(out.toString()).contains("which is no Backfill");
  }
}
