/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.ArenaWriter;
import io.kasane.host.KasaneStorageHook;
import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra;
import io.kasane.host.read.TableFollower;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.StorageHook;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.notifications.TruncationNotification;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table of versions and its arena, in the JVM of the test: what comes when is the test's. */
@InProcess
class TableArenaTest {
  private static final long MICROS = 1_000_000;

  @TempDir private static Path dir;

  private final Queue<Runnable> fills = new ArrayDeque<>();
  private String name;
  private ColumnFamilyStore store;
  private TableArena arena;
  private ArenaReader reader;

  @BeforeEach
  void makeTable() throws IOException {
    InProcessCassandra.start(List.of(), List.of());
    name = InProcessCassandra.newName();
    InProcessCassandra.cql(
        "CREATE TABLE "
            + name
            + " (partition blob, kind int, item blob, version blob, body blob,"
            + " PRIMARY KEY (partition, kind, item, version))");
    store = InProcessCassandra.table(name);
    follow();
  }

  private void follow() throws IOException {
    Path file = dir.resolve(name + ".arena");
    ArenaWriter writer =
        ArenaWriter.create(
            file,
            store.metadata.id.asUUID(),
            1_024,
            1 << 20,
            PosixFilePermissions.fromString("rw-------"));
    arena = TableArena.follow(store, CommittedRow.of(store.metadata()), writer, fills::add);
    writer.own(token -> true);
    writer.beat();
    reader = ArenaReader.open(file, store.metadata.id.asUUID());
  }

  @AfterEach
  void close() {
    reader.close();
    arena.close();
  }

  private static ByteBuffer partition(int key) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(key).flip();
  }

  /** Its body begins with its timestamp, as those of transactions do. */
  private void write(int key, long micros) {
    ByteBuffer body = ByteBuffer.allocate(64).putLong(micros).putLong(1).position(0);
    InProcessCassandra.cql(
        "INSERT INTO "
            + name
            + " (partition, kind, item, version, body) VALUES (?, 0, 0x, 0x, ?) USING TIMESTAMP "
            + micros,
        partition(key),
        body);
  }

  /** A client reads it by CQL; what that asks for is done at once. */
  private void read(int key) {
    StorageHook.instance.reportRead(store.metadata.id, store.decorateKey(partition(key)));
    while (!fills.isEmpty()) {
      fills.remove().run();
    }
  }

  private Outcome seen(int key) {
    return shown(key).outcome();
  }

  private ArenaReader.Answer shown(int key) {
    for (int look = 0; look < 2; look++) { // the first one may be long after that before it
      arena.writer().beat();
      reader.look();
    }
    return reader.get(ArenaKey.of(partition(key), ByteBuffer.allocate(0)));
  }

  private void truncationBegins(long atMillis) {
    arena.handleNotification(new TruncationNotification(atMillis), this);
  }

  private void truncationEnds(long atMillis) {
    SystemKeyspace.saveTruncationRecord(store, atMillis, CommitLogPosition.NONE);
    arena.followTruncations();
  }

  @Test
  void whatIsReadGetsASlotAndWhatIsWrittenChangesIt() {
    write(1, MICROS);
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
    write(1, 2 * MICROS);
    assertThat(shown(1).body().getLong(0)).isEqualTo(2 * MICROS);
    InProcessCassandra.cql("DELETE FROM " + name + " WHERE partition = ?", partition(1));
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
  }

  @Test
  void nothingIsFilledWhileRowsGo() {
    write(1, MICROS);
    read(1);
    truncationBegins(1_000);
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
    read(1); // it is still there to read
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
    truncationEnds(1_000);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
  }

  /** The end of the first one is not that of the second. */
  @Test
  void ofTruncationsThatOverlapTheLastOneCounts() {
    write(1, MICROS);
    truncationBegins(1_000);
    truncationBegins(2_000);
    truncationEnds(1_000);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
    assertThat(arena.isBeingTruncated()).isTrue();
    truncationEnds(2_000);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
    assertThat(arena.isBeingTruncated()).isFalse();
  }

  /** Its beginning was told to nobody here; what was read meanwhile may be gone. */
  @Test
  void theEndOfATruncationThatBeganBeforeTheArenaDidEmptiesIt() {
    write(1, MICROS);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
    truncationEnds(3_000);
    assertThat(seen(1)).isEqualTo(Outcome.MISS);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
  }

  /** Whatever is thrown there, the write was made; and nobody reads what did not hear of it. */
  @Test
  void aWriteThatTheArenaCannotHearOfSucceedsAndEndsTheArena() {
    write(1, MICROS);
    read(1);
    assertThat(seen(1)).isEqualTo(Outcome.HIT);
    List<Throwable> told = new ArrayList<>();
    KasaneStorageHook.follow(
        store.metadata.id,
        new TableFollower() {
          @Override
          public void onWrite(PartitionUpdate update) {
            throw new StackOverflowError("for once");
          }

          @Override
          public void onRead(DecoratedKey key) {}

          @Override
          public void onFailure(Throwable thrown) {
            told.add(thrown);
            arena.onFailure(thrown);
          }
        });
    write(1, 2 * MICROS);
    assertThat(told).hasSize(1);
    assertThat(arena.hasFailed()).isTrue();
    assertThat(seen(1)).isEqualTo(Outcome.SILENT);
    assertThat(
            InProcessCassandra.cql(
                    "SELECT WRITETIME(body) AS at FROM "
                        + name
                        + " WHERE partition = ? AND kind = 0 AND item = 0x AND version = 0x",
                    partition(1))
                .one()
                .getLong("at"))
        .isEqualTo(2 * MICROS);
    write(1, 3 * MICROS); // nobody is told any more
    assertThat(told).hasSize(1);
  }
}
