/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeJmx;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.VersionStoreContract;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One real node, which forbids the times of clients to all but its superuser. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CqlStoreIT extends VersionStoreContract {
  private static final String TABLE = "versions";
  private static final Timestamp TIMESTAMP = new Timestamp(42, 1);
  private static final Version VERSION =
      new Version(TIMESTAMP, new UnknownSiblings(), Optional.of(Bytes.utf8("value")));

  /** So that nobody waits long between the steps of a sweep. */
  private static final RampOptions SHARED =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(200))
          .withGcWindow(Duration.ofMillis(500));

  private static final String OF_BYTES = "exceeding specified threshold";
  private static final String OF_ROWS = "Unlogged batch covering";

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession session;
  private KeyspaceFacts keyspace;
  private CqlVersionStore store;
  private TableContract contract;

  @BeforeAll
  void start() throws Exception {
    cluster =
        RampNodes.of(
            1,
            dir,
            settings ->
                settings
                    .yaml("authenticator", "PasswordAuthenticator")
                    .yaml("user_timestamps_enabled", false)
                    .yaml("cdc_enabled", true)
                    .yaml("materialized_views_enabled", true));
    cluster.start();
    session = superuser();
    session.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    keyspace = get(new SchemaReader(session).keyspace("shop")).orElseThrow();
    // Few of each, so that questions and answers come in parts.
    store =
        new CqlVersionStore(
            session,
            keyspace,
            Levels.forKeyspace(keyspace),
            CqlStoreOptions.defaults().withMaxCandidates(64).withPageRows(100),
            SHARED);
    contract = Contracts.of(SHARED, store.levels());
    get(store.open(TABLE));
  }

  private CqlSession superuser() {
    // The role is made shortly after the node serves.
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(() -> RampNodes.connectAlone(cluster.node(1), "cassandra"), opened -> true);
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    cluster.kill9();
  }

  @Override
  protected VersionStore store() {
    return store;
  }

  @Override
  protected String table() {
    return TABLE;
  }

  @Test
  void whoeverLooksWhileTheNodeFlushesSeesAVersionOrWhatReplacedIt() throws Exception {
    lookWhileCollecting(
        200,
        () -> {
          try (NodeJmx jmx = cluster.node(1).jmx()) {
            jmx.flush("shop", TABLE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void theTableIsAsDescribed() {
    Row row =
        session
            .execute(
                "SELECT comment FROM system_schema.tables"
                    + " WHERE keyspace_name = 'shop' AND table_name = 'versions'")
            .one();
    assertThat(row).isNotNull();
    assertThat(row.getString("comment")).isEqualTo(TableLayout.comment(contract));
  }

  @Test
  void cellsCarryTheTimeOfTheirTransaction() throws Exception {
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("time"));
    get(store.prepare(List.of(new Write(key, VERSION))));
    get(store.commit(List.of(new Write(key, VERSION))));
    List<Row> rows =
        session
            .execute(
                "SELECT kind, version, writetime(body) FROM shop.versions WHERE partition = ?",
                key.partition().toBuffer())
            .all();
    assertThat(rows).extracting(row -> row.getInt("kind")).containsExactly(-1, 0);
    assertThat(rows).extracting(row -> row.getLong(2)).containsOnly(42L);
    assertThat(Bytes.copyOf(rows.get(0).getByteBuffer("version"))).isEqualTo(TIMESTAMP.toBytes());
  }

  /** Nobody need forget it: who deleted it may be gone. */
  @Test
  void aDeletionOfAnItemLeavesByItselfWhenItsGraceIsOver() throws Exception {
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("deleted"), Bytes.utf8("item"));
    Version deletion = new Version(TIMESTAMP, new UnknownSiblings(), Optional.empty());
    get(store.prepare(List.of(new Write(key, deletion))));
    get(store.commit(List.of(new Write(key, deletion))));
    get(store.collect(new Write(key, deletion)));
    List<Row> rows =
        session
            .execute(
                "SELECT kind, ttl(body) FROM shop.versions WHERE partition = ?",
                key.partition().toBuffer())
            .all();
    assertThat(rows).extracting(row -> row.getInt("kind")).containsExactly(-2, 0);
    assertThat(rows.get(1).isNull(1)).isTrue();
    long graceSeconds = RampOptions.defaults().gcGrace().toSeconds();
    assertThat(rows.get(0).getInt(1)).isBetween((int) graceSeconds, (int) graceSeconds + 61);
  }

  /** As of replicas that do not have the stage yet that a client has heard of. */
  @Test
  void whatIsCommittedToTheNextGenerationIsFoundByWhoDoesNotKnowOfIt() throws Exception {
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("ahead"), Bytes.utf8("item"));
    get(store.openSweep(TABLE, key.partition()));
    get(store.commit(List.of(new Write(key, VERSION))));
    session.execute(
        "DELETE FROM shop.versions USING TIMESTAMP 1 WHERE partition = ? AND kind = ?",
        key.partition().toBuffer(),
        TableLayout.GENERATIONS);
    CqlVersionStore other =
        new CqlVersionStore(
            session, keyspace, Levels.forKeyspace(keyspace), CqlStoreOptions.defaults(), SHARED);

    assertThat(get(other.readCommitted(List.of(key), Strength.QUORUM)))
        .containsExactly(new Answer.Present(VERSION));
    assertThat(
            get(other.readItems(ItemRange.all(TABLE, key.partition()), Strength.QUORUM)).versions())
        .containsOnlyKeys(key);
  }

  @Test
  void damagedBytesAreNeitherAVersionNorTheLackOfOne() throws Exception {
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("damaged"), Bytes.utf8("item"));
    get(store.prepare(List.of(new Write(key, VERSION))));
    String damage =
        "UPDATE shop.versions USING TIMESTAMP 43 SET body = 0x0011 WHERE partition = ? AND kind = ?"
            + " AND item = ? AND version = ?";
    session.execute(
        damage,
        key.partition().toBuffer(),
        TableLayout.PREPARED,
        key.item().toBuffer(),
        TIMESTAMP.toBytes().toBuffer());
    CandidateQuery query = new CandidateQuery(key, Set.of(TIMESTAMP));
    assertThatThrownBy(() -> get(store.readCandidates(List.of(query), Strength.QUORUM)))
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");

    // What is committed takes its place.
    get(store.commit(List.of(new Write(key, VERSION))));
    assertThat(get(store.readCandidates(List.of(query), Strength.QUORUM)).get(0).committed())
        .isEqualTo(new Answer.Present(VERSION));

    session.execute(
        damage,
        key.partition().toBuffer(),
        TableLayout.COMMITTED,
        key.item().toBuffer(),
        ByteBuffer.allocate(0));
    assertThat(get(store.readCommitted(List.of(key), Strength.QUORUM)))
        .containsExactly(new Answer.Miss());
    assertThatThrownBy(
            () ->
                get(store.readItems(ItemRange.all(TABLE, key.partition()), Strength.QUORUM))
                    .versions())
        .hasCauseInstanceOf(StoreException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void amongKeysThatAreReadTogetherOnlyTheDamagedOneIsMissed() throws Exception {
    ItemKey whole = new ItemKey(TABLE, Bytes.utf8("together whole"));
    ItemKey damaged = new ItemKey(TABLE, Bytes.utf8("together damaged"));
    get(store.commit(List.of(new Write(whole, VERSION), new Write(damaged, VERSION))));
    session.execute(
        "UPDATE shop.versions USING TIMESTAMP 43 SET body = 0x0011 WHERE partition = ?"
            + " AND kind = 0 AND item = 0x AND version = 0x",
        damaged.partition().toBuffer());
    ItemKey absent = new ItemKey(TABLE, Bytes.utf8("together absent"));
    assertThat(get(store.readCommitted(List.of(damaged, absent, whole), Strength.QUORUM)))
        .containsExactly(new Answer.Miss(), new Answer.Absent(), new Answer.Present(VERSION));
  }

  /** Else an operator's log would fill with warnings of batches that are as they should be. */
  @Test
  void nodesDoNotWarnOfBatches() throws Exception {
    get(store.open("bystanders"));
    List<Write> writes = new ArrayList<>();
    for (int number = 0; number < 400; number++) {
      Bytes value = Bytes.copyOf(ByteBuffer.allocate(number * 8));
      writes.add(
          new Write(
              new ItemKey(number % 2 == 0 ? TABLE : "bystanders", Bytes.utf8("warned" + number)),
              new Version(TIMESTAMP, new UnknownSiblings(), Optional.of(value))));
    }
    long before = requests("Write");
    get(store.prepare(writes));
    assertThat(requests("Write") - before).as("requests for 400 rows").isBetween(40L, 300L);
    assertThat(warnings()).isEmpty();

    CqlVersionStore careless =
        new CqlVersionStore(
            session,
            keyspace,
            Levels.forKeyspace(keyspace),
            CqlStoreOptions.defaults().withBatches(20, 20_000),
            SHARED);
    get(careless.prepare(writes));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(warnings())
                    .anyMatch(line -> line.contains(OF_BYTES))
                    .anyMatch(line -> line.contains(OF_ROWS)));
  }

  private List<String> warnings() {
    return cluster.node(1).log().lines().stream()
        .filter(line -> line.contains(OF_BYTES) || line.contains(OF_ROWS))
        .toList();
  }

  private long requests(String kind) throws IOException {
    try (NodeJmx jmx = cluster.node(1).jmx()) {
      return (Long)
          jmx.attribute(
              "org.apache.cassandra.metrics:type=ClientRequest,scope=" + kind + ",name=Latency",
              "Count");
    }
  }

  @Test
  void tooFewReplicasAreAStoreException() throws Exception {
    session.execute(
        "CREATE KEYSPACE thrice WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    KeyspaceFacts thrice = get(new SchemaReader(session).keyspace("thrice")).orElseThrow();
    CqlVersionStore lonely =
        new CqlVersionStore(
            session,
            thrice,
            Levels.forKeyspace(thrice).withFirstRound(ONE),
            CqlStoreOptions.defaults());
    get(lonely.open(TABLE));
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("lonely"));
    assertThatThrownBy(() -> get(lonely.prepare(List.of(new Write(key, VERSION)))))
        .cause()
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Cannot prepare in versions at QUORUM")
        .hasMessageContaining("1 replicas are up, 2 must be");
    assertThatThrownBy(() -> get(lonely.readCommitted(List.of(key), Strength.ALL)))
        .hasMessageContaining("3 must be");
    assertThat(get(lonely.readCommitted(List.of(key), Strength.FIRST_ROUND)))
        .containsExactly(new Answer.Absent());
  }

  @Test
  void levelsThatDoNotMeetAreRefused() {
    assertThatThrownBy(
            () ->
                new CqlVersionStore(
                    session,
                    KeyspaceFacts.of(
                        "shop",
                        java.util.Map.of("class", "SimpleStrategy", "replication_factor", "3"),
                        true),
                    Levels.forKeyspace(keyspace).withSecondRound(ONE),
                    CqlStoreOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secondRound: ONE");
  }

  @Test
  void foreignTablesAreRefused() {
    session.execute("CREATE TABLE shop.foreign (partition blob PRIMARY KEY, body blob)");
    refused("foreign", "has the columns");
    String versions = TableLayout.create("shop", "altered", contract);
    session.execute(versions + " AND default_time_to_live = 60");
    refused("altered", "default_time_to_live = 60");
    session.execute("ALTER TABLE shop.altered WITH default_time_to_live = 0 AND cdc = true");
    refused("altered", "cdc = true");
    session.execute("ALTER TABLE shop.altered WITH cdc = false AND read_repair = 'NONE'");
    refused("altered", "read_repair = 'NONE'");
    session.execute("ALTER TABLE shop.altered WITH read_repair = 'BLOCKING' AND comment = 'x'");
    refused("altered", "comment 'x'");
    session.execute(
        "ALTER TABLE shop.altered WITH comment = '" + TableLayout.comment(contract) + "'");
    session.execute("CREATE INDEX altered_body ON shop.altered (body)");
    refused("altered", "indexes altered_body");
    session.execute("DROP INDEX shop.altered_body");
    session.execute(
        "CREATE MATERIALIZED VIEW shop.altered_view AS SELECT * FROM shop.altered"
            + " WHERE partition IS NOT NULL AND kind IS NOT NULL AND item IS NOT NULL"
            + " AND version IS NOT NULL PRIMARY KEY (kind, partition, item, version)");
    refused("altered", "materialized views altered_view");
    session.execute("DROP MATERIALIZED VIEW shop.altered_view");
    assertThat(store.open("altered")).succeedsWithin(Duration.ofSeconds(30));
  }

  private void refused(String table, String... words) {
    assertThatThrownBy(() -> get(store.open(table)))
        .cause()
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("shop." + table)
        .hasMessageContainingAll(words);
  }

  @Test
  void aTableThatIsTakenAsGivenMustExist() {
    CqlVersionStore given =
        new CqlVersionStore(
            session,
            keyspace,
            Levels.forKeyspace(keyspace),
            CqlStoreOptions.defaults().withCreateTables(false),
            SHARED);
    assertThatThrownBy(() -> get(given.open("missing")))
        .cause()
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("does not exist. Create it with: CREATE TABLE");
    session.execute(TableLayout.create("shop", "missing", contract));
    assertThat(given.open("missing")).succeedsWithin(Duration.ofSeconds(30));
  }

  @Test
  void aUserWhoMayNotSetTheTimeIsRefused() throws Exception {
    session.execute("CREATE ROLE app WITH PASSWORD = 'app' AND LOGIN = true");
    try (CqlSession ordinary = RampNodes.connectAlone(cluster.node(1), "app")) {
      CqlVersionStore forbidden =
          new CqlVersionStore(
              ordinary, keyspace, Levels.forKeyspace(keyspace), CqlStoreOptions.defaults(), SHARED);
      assertThatThrownBy(() -> get(forbidden.open(TABLE)))
          .cause()
          .isInstanceOf(RefusedSchemaException.class)
          .hasMessageContaining("refuses writes that carry their own time")
          .hasMessageContaining("user_timestamps_enabled: true");
    }
    // Asking has written nothing.
    assertThat(
            session.execute("SELECT * FROM shop.versions WHERE partition = 0x00 AND kind = -127"))
        .isEmpty();
  }
}
