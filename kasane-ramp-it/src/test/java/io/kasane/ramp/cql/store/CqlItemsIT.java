/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.data.TupleValue;
import io.kasane.ramp.cql.SlowSession;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the store asks a node, and what it makes of what comes late. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class CqlItemsIT {
  private static final String TABLE = "items_read";
  private static final Timestamp TIMESTAMP = new Timestamp(1_000_000, 7);
  private static final Version VERSION =
      new Version(TIMESTAMP, new UnknownSiblings(), Optional.of(Bytes.utf8("value")));

  /** So that nobody waits long between the steps of a sweep. */
  private static final RampOptions SHARED =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(200))
          .withGcWindow(Duration.ofMillis(500));

  private CqlSession session;
  private KeyspaceFacts keyspace;
  private CqlVersionStore store;

  @BeforeAll
  void open(CqlSession driver) throws Exception {
    session = driver;
    keyspace = get(new SchemaReader(session).keyspace("uses")).orElseThrow();
    store = over(session, CqlStoreOptions.defaults());
    get(store.open(TABLE));
  }

  private CqlVersionStore over(CqlSession cql, CqlStoreOptions options) {
    return new CqlVersionStore(cql, keyspace, Levels.forKeyspace(keyspace), options, SHARED);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** A process that begins asks for the first generation, and sweeps may be many. */
  @Test
  void anItemIsLookedForInFewGenerationsHoweverManyThereWere() throws Exception {
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("old"), Bytes.utf8("item"));
    String row =
        "INSERT INTO uses.items_read (partition, kind, item, version, body) VALUES (?, ?, ?, 0x, ?)"
            + " USING TIMESTAMP 2000";
    ByteBuffer partition = key.partition().toBuffer();
    Bytes stage = new Generations(2000, Timestamp.NONE).encode();
    session.execute(
        row, partition, TableLayout.GENERATIONS, Bytes.EMPTY.toBuffer(), stage.toBuffer());
    Bytes body = VersionCodec.encode(VERSION);
    session.execute(row, partition, 1000, key.item().toBuffer(), body.toBuffer());
    List<Integer> rows = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger ranges = new AtomicInteger();
    CqlSession watched =
        SlowSession.watched(
            session,
            statement -> {
              if (!(statement instanceof BoundStatement bound)) {
                return;
              }
              var names = bound.getPreparedStatement().getVariableDefinitions();
              if (names.contains("rows")) {
                rows.add(bound.getList("rows", TupleValue.class).size());
              } else if (names.contains("last_kind")) {
                ranges.incrementAndGet();
              }
            });
    for (boolean paged : new boolean[] {false, true}) {
      CqlVersionStore fresh = over(watched, CqlStoreOptions.defaults());
      if (paged) {
        ItemRange few = new ItemRange(TABLE, key.partition(), Bytes.EMPTY, Optional.empty(), 5);
        assertThat(get(fresh.readItems(few, Strength.QUORUM)).versions()).containsOnlyKeys(key);
      } else {
        assertThat(get(fresh.readCommitted(List.of(key), Strength.QUORUM)))
            .containsExactly(new Answer.Present(VERSION));
      }
    }
    assertThat(rows).hasSizeBetween(2, 6).allMatch(asked -> asked < 9);
    assertThat(ranges).hasValueBetween(2, 8);
  }

  /** Between the pages of a read of all items a sweep copies one and goes on. */
  @Test
  void whatASweepMovesBetweenTwoPagesIsSeen() throws Exception {
    Bytes partition = Bytes.utf8("moving");
    ItemKey moved = new ItemKey(TABLE, partition, Bytes.utf8("a"));
    get(store.commit(List.of(new Write(moved, VERSION))));
    get(store.openSweep(TABLE, partition));
    List<Write> queue = new ArrayList<>();
    for (int item = 0; item < 250; item++) {
      queue.add(new Write(new ItemKey(TABLE, partition, Bytes.utf8("b" + item)), VERSION));
    }
    // One that does not believe what was so before the sweep opened.
    get(over(session, CqlStoreOptions.defaults()).commit(queue));
    AtomicInteger pages = new AtomicInteger();
    CqlSession sweeping =
        SlowSession.paged(
            session,
            () -> {
              if (pages.incrementAndGet() == 2) {
                endSweep(partition);
              }
            });
    CqlVersionStore reader = over(sweeping, CqlStoreOptions.defaults().withPageRows(100));

    assertThat(get(reader.readItems(ItemRange.all(TABLE, partition), Strength.QUORUM)).versions())
        .hasSize(251)
        .containsKey(moved);
    assertThat(pages).hasValueGreaterThan(2);
  }

  /** A tombstone of its own would win over what another client commits in the same microsecond. */
  @Test
  void whatIsCommittedInTheMicrosecondOfADeletionOutlivesItsSweep() throws Exception {
    Bytes partition = Bytes.utf8("one microsecond");
    ItemKey key = new ItemKey(TABLE, partition, Bytes.utf8("a"));
    Version deletion =
        new Version(new Timestamp(2_000_000, 7), new UnknownSiblings(), Optional.empty());
    Version next = new Version(new Timestamp(2_000_000, 8), new UnknownSiblings(), VERSION.value());
    get(store.commit(List.of(new Write(key, VERSION))));
    get(store.openSweep(TABLE, partition));
    CqlVersionStore other = over(session, CqlStoreOptions.defaults());
    get(other.commit(List.of(new Write(key, deletion))));
    endSweep(partition);
    assertThat(get(other.readCommitted(List.of(key), Strength.QUORUM)))
        .containsExactly(new Answer.Present(deletion));

    get(other.commit(List.of(new Write(key, next))));
    assertThat(get(other.readCommitted(List.of(key), Strength.QUORUM)))
        .containsExactly(new Answer.Present(next));
    assertThat(get(other.readItems(ItemRange.all(TABLE, partition), Strength.QUORUM)).versions())
        .containsOnlyKeys(key);
  }

  /** The second step, as soon as the store takes it. */
  private void endSweep(Bytes partition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .untilAsserted(() -> get(store.sweep(TABLE, partition)));
  }

  @Test
  void whatIsNotAnsweredInTimeIsAskedOnceMore() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    AtomicBoolean everyTime = new AtomicBoolean();
    AtomicBoolean opened = new AtomicBoolean();
    CqlSession late =
        SlowSession.late(
            session,
            () -> opened.get() && (requests.incrementAndGet() % 2 == 1 || everyTime.get()));
    CqlVersionStore patient = over(late, CqlStoreOptions.defaults());
    get(patient.open(TABLE));
    opened.set(true);
    ItemKey key = new ItemKey(TABLE, Bytes.utf8("late"));

    get(patient.prepare(List.of(new Write(key, VERSION))));
    get(patient.commit(List.of(new Write(key, VERSION))));
    assertThat(get(patient.readCommitted(List.of(key), Strength.QUORUM)))
        .containsExactly(new Answer.Present(VERSION));
    assertThat(requests).hasValue(6);

    everyTime.set(true);
    assertThatThrownBy(() -> get(patient.readCommitted(List.of(key), Strength.QUORUM)))
        .hasMessageContaining("basic.request.timeout");
    assertThat(requests).hasValue(8);
  }
}
