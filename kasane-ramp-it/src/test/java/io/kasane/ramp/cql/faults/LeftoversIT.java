/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.collect.LeftoverScan;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.history.TransactionChecks;
import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingFilter;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients that died left on a real node, and what becomes of it. */
@Tag("node")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class LeftoversIT {
  /** How often what clients leave is cleared beside a load, and after how many transactions. */
  private static final int RUNS = TestRun.size("kasane.ramp.clearings", 1, 20);

  private static final int FEW = 50;

  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final Duration GRACE = Duration.ofDays(10);
  private static final Duration HINTS = Duration.ofDays(10);
  private static final Duration OLD = Duration.ofDays(30);
  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(450))
          .withGcWindow(WINDOW)
          .withGcGrace(GRACE)
          .withMaxClockDrift(Duration.ofMillis(100));

  private LocalNode node;
  private CqlSession cql;
  private CqlVersionStore store;
  private SkewedEnvironment environment;
  private RampClient client;
  private long last;

  @BeforeAll
  void start(LocalNode shared, CqlSession driver) {
    node = shared;
    cql = driver;
    create("left");
    create("beside");
    var facts = new SchemaReader(cql).keyspace("left").toCompletableFuture().join().orElseThrow();
    store =
        new CqlVersionStore(
            cql, facts, Levels.forKeyspace(facts), CqlStoreOptions.defaults(), OPTIONS);
    environment = new SkewedEnvironment(Duration.ZERO);
    client = new RampClient(store, OPTIONS, environment);
  }

  private void create(String keyspace) {
    cql.execute(
        "CREATE KEYSPACE "
            + keyspace
            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
  }

  @AfterAll
  void stop() {
    client.close();
    environment.close();
    cql.execute("DROP KEYSPACE left");
    cql.execute("DROP KEYSPACE beside");
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aClientThatDiesAfterItsCommitLeavesNothing(Mode mode) throws Exception {
    String table = open("committed_" + mode);
    List<ItemKey> keys = keys(table, 3);
    Version first = die(Death.AFTER_COMMIT, ago(Duration.ofMinutes(20)), mode, keys);
    Version second = die(Death.AFTER_COMMIT, ago(Duration.ofMinutes(10)), mode, keys.subList(0, 2));

    LeftoverCounts counts = collect(table);

    assertThat(counts.collected()).isEqualTo(5);
    assertThat(counts.failed()).isZero();
    assertThat(prepared(table)).isZero();
    assertThat(read(keys))
        .isEqualTo(Map.of(keys.get(0), second, keys.get(1), second, keys.get(2), first));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aClientThatDiesWithinItsCommitIsCompleted(Mode mode) throws Exception {
    String table = open("half_" + mode);
    List<ItemKey> keys = keys(table, 3);
    die(Death.AFTER_COMMIT, ago(Duration.ofMinutes(20)), mode, keys);
    Version half = die(Death.WITHIN_COMMIT, ago(Duration.ofMinutes(10)), mode, keys);

    LeftoverCounts counts = collect(table);

    assertThat(counts.completed()).isEqualTo(1);
    assertThat(counts.uncertain()).isZero();
    assertThat(prepared(table)).isZero();
    assertThat(committed(table)).isEqualTo(3);
    for (ItemKey key : keys) {
      assertThat(read(List.of(key))).as("each alone").isEqualTo(Map.of(key, half));
    }
  }

  @Test
  void whatWasNeverCommittedGoesWhenItIsOldAndNamesItsKeys() throws Exception {
    String table = open("orphans");
    List<ItemKey> keys = keys(table, 3);
    Version before = die(Death.AFTER_COMMIT, ago(OLD.plusDays(1)), Mode.FAST, keys);
    die(Death.BEFORE_COMMIT, ago(OLD), Mode.FAST, keys);
    die(Death.BEFORE_COMMIT, ago(Duration.ofDays(19)), Mode.FAST, keys);
    die(Death.BEFORE_COMMIT, ago(OLD), Mode.SMALL, keys);

    LeftoverCounts counts = collect(table);

    assertThat(counts.dropped()).isEqualTo(1);
    assertThat(counts.young()).isEqualTo(1);
    assertThat(counts.uncertain()).isEqualTo(1);
    assertThat(prepared(table)).as("of two transactions").isEqualTo(6);
    assertThat(committed(table)).isEqualTo(3);
    assertThat(read(List.of(keys.get(0)))).isEqualTo(Map.of(keys.get(0), before));
  }

  /** What one table shows as committed tells of what another one has prepared. */
  @Test
  void aTransactionOfSeveralTablesIsCompletedByWhatOneOfThemShows() throws Exception {
    String here = open("here");
    String there = open("there");
    ItemKey shown = keys(there, 1).get(0);
    ItemKey hidden = keys(here, 1).get(0);
    Version half =
        die(Death.WITHIN_COMMIT, ago(Duration.ofHours(1)), Mode.SMALL, List.of(shown, hidden));

    assertThat(scan(List.of(here), List.of(there)).completed()).isEqualTo(1);
    assertThat(read(List.of(hidden))).isEqualTo(Map.of(hidden, half));
    assertThat(prepared(here)).isZero();
    assertThat(prepared(there)).as("was not to be cleared").isEqualTo(1);
  }

  @Test
  void deletedKeysAndItemsAreForgottenAfterTheirGrace() throws Exception {
    String table = open("deleted");
    ItemKey key = keys(table, 1).get(0);
    ItemKey item = new ItemKey(table, Bytes.utf8("list"), Bytes.utf8("item"));
    ItemKey sweptItem = new ItemKey(table, Bytes.utf8("swept"), Bytes.utf8("item"));
    List<ItemKey> keys = List.of(key, item, sweptItem);
    die(Death.AFTER_COMMIT, ago(OLD.plusDays(2)), Mode.FAST, keys);
    Timestamp deleted = ago(OLD);
    SiblingNames names = new SiblingNames(Set.copyOf(keys), Set.copyOf(keys));
    List<Write> deletions =
        keys.stream()
            .map(each -> new Write(each, new Version(deleted, names, Optional.empty())))
            .toList();
    await(store.prepare(deletions));
    await(store.commit(deletions));
    await(store.openSweep(table, sweptItem.partition()));

    LeftoverCounts counts = collect(table);

    assertThat(counts.purged()).isEqualTo(3);
    assertThat(prepared(table)).isZero();
    assertThat(rows(table, kind -> kind != Integer.MAX_VALUE)).isZero();
    assertThat(read(keys)).isEmpty();
  }

  @Test
  void itemsOfASweptCollectionAreCollectedWhereTheyCount() throws Exception {
    String table = open("swept");
    List<ItemKey> items =
        List.of("1", "2").stream()
            .map(each -> new ItemKey(table, Bytes.utf8("list"), Bytes.utf8(each)))
            .toList();
    Version version = die(Death.AFTER_COMMIT, ago(Duration.ofHours(1)), Mode.FAST, items);
    await(store.openSweep(table, Bytes.utf8("list")));
    Awaitility.await("a sweep that does not come too early")
        .ignoreExceptions()
        .untilAsserted(() -> await(store.sweep(table, Bytes.utf8("list"))));
    Version half = die(Death.WITHIN_COMMIT, ago(Duration.ofMinutes(30)), Mode.FAST, items);

    LeftoverCounts counts = collect(table);

    assertThat(counts.completed()).isEqualTo(1);
    assertThat(prepared(table)).isZero();
    assertThat(version).isNotEqualTo(half);
    ItemRange all = ItemRange.all(table, Bytes.utf8("list"));
    assertThat(await(store.readItems(all, Strength.QUORUM)).versions())
        .isEqualTo(items.stream().collect(Collectors.toMap(each -> each, each -> half)));
  }

  /** Processes that end within their puts, and collections beside those that live. */
  @Test
  @Tag("long")
  void besideALoadWhoseClientsDieNothingIsFracturedOrLost() throws Exception {
    long seed = TestRun.seed();
    try (Campaign campaign =
            new Campaign("beside", "beside", Path.of("target", "histories"), seed);
        SkewedEnvironment exact = new SkewedEnvironment(Duration.ZERO)) {
      PlainTable.create(cql, "beside");
      Load unused = new Load(cql, "beside", exact, 0);
      campaign.start(2, List.of(node), Arrays.asList(Mode.values()), false, 21);
      campaign.await(FEW);
      long collected = 0;
      long completed = 0;
      int runs = 0;
      while (runs < RUNS || collected == 0) {
        LeftoverCounts counts = collectBeside(exact);
        assertThat(counts.failed()).as("%s", counts.firstFailure()).isZero();
        campaign.say("beside the load: " + counts);
        collected += counts.collected();
        completed += counts.completed();
        runs++;
        campaign.await(FEW / 2);
      }
      campaign.stop();
      assertThat(campaign.halts()).isPositive();
      LeftoverCounts counts = collectBeside(exact);
      campaign.say("at rest: " + counts + ", completed before " + completed);
      campaign.lastLook().log(cql, List.of(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL));
      campaign.requireNone(TransactionChecks.all());
    }
  }

  private LeftoverCounts collectBeside(SkewedEnvironment exact) {
    return Load.collectLeftovers(cql, "beside", exact);
  }

  private enum Death {
    BEFORE_COMMIT,
    WITHIN_COMMIT,
    AFTER_COMMIT
  }

  /** Does what of a put comes to the store before its client dies. */
  private Version die(Death death, Timestamp timestamp, Mode mode, List<ItemKey> keys)
      throws Exception {
    boolean hasItems = keys.stream().anyMatch(key -> key.item().length() > 0);
    Siblings siblings =
        switch (hasItems ? Mode.FAST : mode) {
          case FAST -> new SiblingNames(Set.copyOf(keys));
          case SMALL -> new UnknownSiblings();
          case HYBRID -> SiblingFilter.of(keys, 0.01);
        };
    Version version = new Version(timestamp, siblings, Optional.of(Bytes.utf8("of " + timestamp)));
    List<Write> writes = keys.stream().map(key -> new Write(key, version)).toList();
    await(store.prepare(writes));
    if (death != Death.BEFORE_COMMIT) {
      await(store.commit(death == Death.AFTER_COMMIT ? writes : writes.subList(0, 1)));
    }
    return version;
  }

  private Timestamp ago(Duration age) {
    return new Timestamp(environment.wallMicros() - age.toNanos() / 1000, ++last);
  }

  private String open(String name) throws Exception {
    await(store.open(name.toLowerCase(Locale.ROOT)));
    return name.toLowerCase(Locale.ROOT);
  }

  private static List<ItemKey> keys(String table, int count) {
    return IntStream.range(0, count)
        .mapToObj(each -> new ItemKey(table, Bytes.utf8("key " + each)))
        .toList();
  }

  private LeftoverCounts collect(String table) {
    return scan(List.of(table), List.of());
  }

  private LeftoverCounts scan(List<String> cleared, List<String> others) {
    try (Leftovers leftovers = client.leftovers(HINTS)) {
      return new LeftoverScan(cql, "left", leftovers, 100_000, (table, rows) -> {})
          .run(cleared, others);
    }
  }

  private Map<ItemKey, Version> read(List<ItemKey> keys) throws Exception {
    return await(client.get(ReadSet.of(Set.copyOf(keys)), client.newSession())).versions();
  }

  private long prepared(String table) {
    return rows(table, kind -> kind == -1);
  }

  private long committed(String table) {
    return rows(table, kind -> kind == 0);
  }

  private long rows(String table, IntPredicate kinds) {
    return cql.execute("SELECT kind FROM left." + table).all().stream()
        .filter(row -> kinds.test(row.getInt("kind")))
        .count();
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
