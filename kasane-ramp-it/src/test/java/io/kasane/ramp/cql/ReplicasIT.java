/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.faults.ThreeNodes;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.cql.store.Contracts;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications on three real nodes that hold three replicas of everything. */
@Tag("node")
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(ThreeNodes.class)
class ReplicasIT {
  /** Three times as many as the session remembers that reads them. */
  private static final int MANY_ITEMS = 600;

  private CqlSession cql;
  private RampSession session;
  private RampTable<String, Long> numbers;
  private RampTable<Integer, String> orders;
  private RampCollection<Integer, String, Long> lines;

  @BeforeAll
  void start(LocalCluster cluster) {
    cql = RampNodes.connect(cluster.node(1));
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    session = RampSession.open(cql, "shop");
    numbers = session.table("numbers", Codecs.text(), Codecs.int64());
    orders = session.table("orders", Codecs.int32(), Codecs.text());
    lines = session.collection("lines", Codecs.int32(), Codecs.text(), Codecs.int64());
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    if (cql != null) {
      cql.close();
    }
  }

  @Test
  void aReadOfManyItemsWritesNothing() {
    RampOptions forgetful = RampOptions.defaults().withMaxFloors(MANY_ITEMS / 3);
    RampSession reader = RampSession.builder(cql, "shop").options(forgetful).build();
    RampSession user = reader.newSession();
    List<CompletableFuture<Timestamp>> running = new ArrayList<>();
    for (int first = 0; first < MANY_ITEMS; first += 10) {
      RampTransaction items = session.newSession().write();
      for (int item = first; item < first + 10; item++) {
        items.put(lines, 70, "item " + item, (long) item);
      }
      running.add(items.commitAsync().toCompletableFuture());
      if (running.size() == 20) {
        running.forEach(CompletableFuture::join);
        running.clear();
      }
    }
    long settled = reader.metrics().floorsSettled();
    long completed = reader.metrics().completions();
    for (int times = 0; times < 3; times++) {
      assertThat(user.items(lines, 70)).hasSize(MANY_ITEMS);
    }

    assertThat(reader.metrics().floorsSettled()).isEqualTo(settled);
    assertThat(reader.metrics().completions()).isEqualTo(completed);
    assertThat(user.token()).hasSize(14);

    RampRange<String> some = RampRange.<String>all().from("item 5").before("item 53").limit(20);
    RampPage<String, Long> page = user.items(lines, 70, some);
    assertThat(page.items()).hasSize(20).containsKeys("item 5", "item 50", "item 500");
    RampRange<String> rest = page.next().orElseThrow();
    assertThat(user.items(lines, 70, rest)).matches(last -> last.next().isEmpty());
    assertThat(page.items().size() + user.items(lines, 70, rest).items().size())
        .isEqualTo(numbersFrom("5", "53"));
    reader.close();
  }

  /** How many numbers there are of which the text lies between these. */
  private static long numbersFrom(String first, String before) {
    return IntStream.range(0, MANY_ITEMS)
        .mapToObj(Integer::toString)
        .filter(text -> text.compareTo(first) >= 0 && text.compareTo(before) < 0)
        .count();
  }

  @Test
  void readersSeeWholeTransactionsInAllModes() throws Exception {
    allowAllModes("numbers");
    List<RampSession> sessions = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      RampOptions options = RampOptions.defaults().withMode(mode).withFilterFalsePositives(0.5);
      sessions.add(RampSession.builder(cql, "shop").options(options).build());
    }
    WholeGroups groups = new WholeGroups(numbers, 3);
    groups.run(sessions, 50, () -> {});
    for (int group = 0; group < 3; group++) {
      groups.requireWhole(session, group);
    }
    assertThat(groups.failures.sum()).as("failures").isZero();
    assertThat(groups.writes.sum()).isEqualTo(150);
    assertThat(groups.reads.sum()).isPositive();
    // Somebody's readers met somebody's writers.
    assertThat(sessions).anyMatch(each -> each.metrics().secondRoundShare() > 0);
    sessions.forEach(RampSession::close);
  }

  /** As an operator does. */
  private void allowAllModes(String table) {
    TableContract contract = Contracts.of(RampOptions.defaults(), storeOfAnotherClient().levels());
    cql.execute(
        "ALTER TABLE shop."
            + table
            + " WITH comment = '"
            + TableLayout.comment(contract).replace("mode=FAST", "mode=ANY")
            + "'");
  }

  @Test
  void aClientMayDieBetweenAnyTwoOfItsSteps() throws Exception {
    session.put(orders, Map.of(50, "before", 51, "before"));
    CqlVersionStore store = storeOfAnotherClient();
    Set<ItemKey> both = Set.of(orders.keyOf(50), orders.keyOf(51));
    long later = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + 1000;

    // Dies behind PREPARE: nobody has seen it, nobody will.
    List<Write> unseen = writes(both, new Timestamp(later, 1), "unseen");
    store.prepare(unseen).toCompletableFuture().get(30, TimeUnit.SECONDS);
    assertThat(session.newSession().getAll(orders, List.of(50, 51)))
        .isEqualTo(Map.of(50, "before", 51, "before"));

    // Dies within COMMIT: one key tells of the other.
    List<Write> half = writes(both, new Timestamp(later + 1000, 1), "after");
    store.prepare(half).toCompletableFuture().get(30, TimeUnit.SECONDS);
    store.commit(half.subList(0, 1)).toCompletableFuture().get(30, TimeUnit.SECONDS);
    RampSession reader = session.newSession();
    assertThat(reader.getAll(orders, List.of(50, 51))).isEqualTo(Map.of(50, "after", 51, "after"));
    // And a reader has committed it in the dead one's place.
    Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(session.newSession().get(orders, 50)).contains("after");
              assertThat(session.newSession().get(orders, 51)).contains("after");
            });
  }

  private CqlVersionStore storeOfAnotherClient() {
    KeyspaceFacts shop =
        KeyspaceFacts.of(
            "shop", Map.of("class", "NetworkTopologyStrategy", "datacenter1", "3"), true);
    return new CqlVersionStore(cql, shop, Levels.forKeyspace(shop), CqlStoreOptions.defaults());
  }

  private static List<Write> writes(Set<ItemKey> keys, Timestamp timestamp, String value) {
    Version version =
        new Version(timestamp, new SiblingNames(keys), Optional.of(Bytes.utf8(value)));
    return keys.stream().sorted().map(key -> new Write(key, version)).toList();
  }
}
