/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static io.kasane.ramp.cql.schema.TableLayout.BODY;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.TupleType;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The prepared statements of one table. All carry their partition as routing key and their own
 * time, so that each may be sent again.
 */
final class TableStatements {
  private static final TupleType ROW =
      DataTypes.tupleOf(DataTypes.TINYINT, DataTypes.BLOB, DataTypes.BLOB);
  private static final String OF_PARTITION = " WHERE partition = :partition";
  private static final String COMMITTED_ROW =
      OF_PARTITION + " AND kind = 0 AND item = :item AND version = 0x";

  /** The limit is one page, which Cassandra reads all partitions for at once. */
  private static final String COMMITTED_ROWS =
      " WHERE partition IN :partitions AND kind = 0 AND item = 0x AND version = 0x LIMIT "
          + CqlStoreOptions.MOST_BATCH_ROWS;

  private static final String COMMITTED_ITEM =
      OF_PARTITION + " AND kind IN (0, 2) AND item = :item AND version = 0x";
  private static final String DELETED_ROW =
      OF_PARTITION + " AND kind = 2 AND item = :item AND version = 0x";
  private static final String ITEMS = " AND item >= :first AND item <= :last";

  private static final String PREPARED_UNTIL =
      OF_PARTITION + " AND kind = 1 AND item = :item AND version <= :version";

  private final CqlIdentifier keyspace;
  private final PreparedStatement readCommitted;
  private final PreparedStatement readCommittedMany;
  private final PreparedStatement readRows;
  private final PreparedStatement readCollection;
  private final PreparedStatement prepare;
  private final PreparedStatement commit;
  private final PreparedStatement collect;
  private final PreparedStatement purge;
  private final PreparedStatement readCommittedItem;
  private final PreparedStatement readItems;
  private final PreparedStatement commitDeleted;
  private final PreparedStatement collectDeleted;
  private final PreparedStatement purgeDeleted;
  private final PreparedStatement sweep;
  private final PreparedStatement readPrepared;
  private final PreparedStatement keepDeleted;

  private TableStatements(CqlIdentifier keyspace, List<PreparedStatement> all) {
    this.keyspace = keyspace;
    this.readCommitted = all.get(0);
    this.readCommittedMany = all.get(1);
    this.readRows = all.get(2);
    this.readCollection = all.get(3);
    this.prepare = all.get(4);
    this.commit = all.get(5);
    this.collect = all.get(6);
    this.purge = all.get(7);
    this.readCommittedItem = all.get(8);
    this.readItems = all.get(9);
    this.commitDeleted = all.get(10);
    this.collectDeleted = all.get(11);
    this.purgeDeleted = all.get(12);
    this.sweep = all.get(13);
    this.readPrepared = all.get(14);
    this.keepDeleted = all.get(15);
  }

  /**
   * Prepares the statements of a table.
   *
   * @param deletionSeconds how long a deletion of an item stays in kind 2, where nobody need forget
   *     it; 0 for ever
   */
  static CompletionStage<TableStatements> prepare(
      CqlSession session, String keyspace, String table, String profile, int deletionSeconds) {
    String name = TableLayout.qualified(keyspace, table);
    String commit = insert(name, "0", "0x");
    String deleted = insert(name, "2", "0x") + " AND TTL " + deletionSeconds;
    String delete = "DELETE FROM " + name + " USING TIMESTAMP :micros";
    List<String> texts =
        List.of(
            "SELECT body FROM " + name + COMMITTED_ROW,
            "SELECT partition, body FROM " + name + COMMITTED_ROWS,
            "SELECT kind, version, body FROM "
                + name
                + OF_PARTITION
                + " AND (kind, item, version) IN :rows",
            "SELECT item, body FROM " + name + OF_PARTITION + " AND kind = 0",
            insert(name, "1", ":version"),
            commit,
            batch(commit, delete + PREPARED_UNTIL),
            batch(delete + COMMITTED_ROW, delete + PREPARED_UNTIL),
            "SELECT kind, body FROM " + name + COMMITTED_ITEM,
            "SELECT item, body FROM " + name + OF_PARTITION + " AND kind = :kind" + ITEMS,
            deleted,
            batch(commit, deleted, delete + PREPARED_UNTIL),
            batch(delete + DELETED_ROW, delete + PREPARED_UNTIL),
            delete + OF_PARTITION + " AND kind = 0" + ITEMS,
            "SELECT item, version FROM " + name + OF_PARTITION + " AND kind = 1" + ITEMS,
            batch(deleted, delete + PREPARED_UNTIL));
    List<CompletableFuture<PreparedStatement>> prepared = new ArrayList<>();
    for (String text : texts) {
      SimpleStatement statement = SimpleStatement.newInstance(text).setIdempotent(true);
      if (!profile.isEmpty()) {
        statement = statement.setExecutionProfileName(profile);
      }
      prepared.add(session.prepareAsync(statement).toCompletableFuture());
    }
    return CompletableFuture.allOf(prepared.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                new TableStatements(
                    CqlIdentifier.fromInternal(keyspace),
                    prepared.stream().map(each -> each.getNow(null)).toList()));
  }

  /**
   * Not an UPDATE: Cassandra looks no further into older SSTables for a row that was inserted,
   * since it knows that such a row exists.
   */
  private static String insert(String name, String kind, String version) {
    return "INSERT INTO "
        + name
        + " (partition, kind, item, version, body) VALUES (:partition, "
        + kind
        + ", :item, "
        + version
        + ", :body) USING TIMESTAMP :micros";
  }

  /** Both in one partition: a replica applies all of it at once. */
  private static String batch(String... statements) {
    return "BEGIN UNLOGGED BATCH " + String.join("; ", statements) + "; APPLY BATCH";
  }

  BoundStatement readCommitted(ItemKey key) {
    return bound(isItem(key) ? readCommittedItem : readCommitted, key);
  }

  private static boolean isItem(ItemKey key) {
    return key.item().length() > 0;
  }

  /**
   * Those of several partitions with the same replicas.
   *
   * @param keys without items
   */
  BoundStatement readCommitted(List<ItemKey> keys) {
    List<ByteBuffer> partitions = keys.stream().map(key -> key.partition().toBuffer()).toList();
    return readCommittedMany
        .bind()
        .setList("partitions", partitions, ByteBuffer.class)
        .setRoutingKeyspace(keyspace)
        .setRoutingKey(partitions.get(0))
        .setPageSize(CqlStoreOptions.MOST_BATCH_ROWS);
  }

  /** Marker and prepared versions in one question. */
  BoundStatement readCandidates(ItemKey key, Collection<Timestamp> versions) {
    List<TupleValue> rows = new ArrayList<>(versions.size() + 1);
    rows.add(row(TableLayout.COMMITTED, key.item(), Bytes.EMPTY));
    if (isItem(key)) {
      rows.add(row(TableLayout.DELETED, key.item(), Bytes.EMPTY));
    }
    for (Timestamp version : versions) {
      rows.add(row(TableLayout.PREPARED, key.item(), version.toBytes()));
    }
    return routed(readRows, key.partition()).setList("rows", rows, TupleValue.class);
  }

  BoundStatement readCollection(Bytes partition, int pageRows) {
    return routed(readCollection, partition).setPageSize(pageRows);
  }

  /** The committed versions of some kind, from an item to another one. */
  BoundStatement readItems(Bytes partition, byte kind, Bytes first, Bytes last) {
    return between(readItems, partition, first, last).setByte(TableLayout.KIND, kind);
  }

  /** Which versions are prepared, from an item to another one. */
  BoundStatement readPrepared(Bytes partition, Bytes first, Bytes last) {
    return between(readPrepared, partition, first, last);
  }

  /** Takes the committed rows of kind 0 from an item to another one away, up to a time. */
  BoundStatement sweep(Bytes partition, Bytes first, Bytes last, long upToMicros) {
    return between(sweep, partition, first, last).setLong("micros", upToMicros);
  }

  private BoundStatement between(
      PreparedStatement statement, Bytes partition, Bytes first, Bytes last) {
    return routed(statement, partition)
        .setByteBuffer("first", first.toBuffer())
        .setByteBuffer("last", last.toBuffer());
  }

  /** Beside {@link #commit}, of an item that is deleted. */
  BoundStatement commitDeleted(ItemKey key, Timestamp version, Bytes body) {
    return written(commitDeleted, key, version).setByteBuffer(BODY, body.toBuffer());
  }

  /** The deletion in kind 2, and nothing prepared below it, which would come back after it. */
  BoundStatement keepDeleted(ItemKey key, Timestamp deletion, Bytes body) {
    return written(keepDeleted, key, deletion)
        .setByteBuffer(TableLayout.VERSION, deletion.toBytes().toBuffer())
        .setByteBuffer(BODY, body.toBuffer());
  }

  BoundStatement prepare(ItemKey key, Timestamp version, Bytes body) {
    return written(prepare, key, version)
        .setByteBuffer(TableLayout.VERSION, version.toBytes().toBuffer())
        .setByteBuffer(BODY, body.toBuffer());
  }

  BoundStatement commit(ItemKey key, Timestamp version, Bytes body) {
    return written(commit, key, version).setByteBuffer(BODY, body.toBuffer());
  }

  BoundStatement collect(ItemKey key, Version committed, Bytes body) {
    Timestamp version = committed.timestamp();
    return written(isItem(key) && committed.isDeletion() ? collectDeleted : collect, key, version)
        .setByteBuffer(TableLayout.VERSION, version.toBytes().toBuffer())
        .setByteBuffer(BODY, body.toBuffer());
  }

  /**
   * Forgets a deletion.
   *
   * @param kind where it is; a row of kind 0 that was swept away needs no tombstone of its own
   */
  BoundStatement purge(ItemKey key, byte kind, Timestamp deletion) {
    return written(kind == TableLayout.DELETED ? purgeDeleted : purge, key, deletion)
        .setByteBuffer(TableLayout.VERSION, deletion.toBytes().toBuffer());
  }

  private BoundStatement written(PreparedStatement statement, ItemKey key, Timestamp version) {
    return bound(statement, key).setLong("micros", version.micros());
  }

  private BoundStatement bound(PreparedStatement statement, ItemKey key) {
    return routed(statement, key.partition())
        .setByteBuffer(TableLayout.ITEM, key.item().toBuffer());
  }

  private BoundStatement routed(PreparedStatement statement, Bytes partition) {
    return statement
        .bind()
        .setByteBuffer(TableLayout.PARTITION, partition.toBuffer())
        .setRoutingKeyspace(keyspace)
        .setRoutingKey(partition.toBuffer());
  }

  private static TupleValue row(byte kind, Bytes item, Bytes version) {
    return ROW.newValue()
        .setByte(0, kind)
        .setByteBuffer(1, item.toBuffer())
        .setByteBuffer(2, version.toBuffer());
  }
}
