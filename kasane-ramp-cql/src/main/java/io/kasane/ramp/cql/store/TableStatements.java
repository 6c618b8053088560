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
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The prepared statements of one table. All carry their partition as routing key and their own
 * time, so that each may be sent again.
 */
final class TableStatements {
  /** The version of the row of an item that a sweep copied. */
  private static final Bytes COPY = Bytes.copyOf(new byte[] {1});

  /** Before all items, and behind a key of the same partition that is none. */
  private static final Bytes FIRST_ITEM = Bytes.copyOf(new byte[] {0});

  private static final TupleType ROW =
      DataTypes.tupleOf(DataTypes.INT, DataTypes.BLOB, DataTypes.BLOB);

  private final CqlIdentifier keyspace;
  private final Map<Statement, PreparedStatement> statements;

  private TableStatements(CqlIdentifier keyspace, Map<Statement, PreparedStatement> statements) {
    this.keyspace = keyspace;
    this.statements = statements;
  }

  /** What is prepared; deletions of items live for a while in their own kind. */
  private enum Statement {
    READ_COMMITTED("SELECT body FROM %1$s" + Cql.COMMITTED_ROW),
    READ_COMMITTED_OF_MANY("SELECT partition, body FROM %1$s" + Cql.COMMITTED_ROWS),
    READ_TIME("SELECT WRITETIME(body) FROM %1$s" + Cql.COMMITTED_ROW),
    READ_TIMES("SELECT WRITETIME(body) FROM %1$s" + Cql.COMMITTED_ROWS),
    READ_ROWS(
        "SELECT kind, item, version, body FROM %1$s"
            + Cql.OF_PARTITION
            + " AND (kind, item, version) IN :rows"),
    READ_COLLECTION(
        "SELECT kind, item, version, body FROM %1$s" + Cql.OF_PARTITION + " AND kind >= :kind"),
    /** A tuple is the next kind's first row where the range has no end. */
    READ_RANGE(
        "SELECT kind, item, version, body FROM %1$s"
            + Cql.OF_PARTITION
            + " AND (kind, item) >= (:kind, :item) AND (kind, item) < (:last_kind, :last)"
            + " LIMIT :most"),
    READ_NAMES(
        "SELECT item FROM %1$s"
            + Cql.OF_PARTITION
            + " AND kind = :kind AND item > :item LIMIT :most"),
    READ_ITEMS(
        "SELECT kind, item, version, body FROM %1$s"
            + Cql.OF_PARTITION
            + " AND kind = :kind"
            + Cql.ITEMS),
    READ_PREPARED(
        "SELECT item, version FROM %1$s" + Cql.OF_PARTITION + " AND kind = -1" + Cql.ITEMS),
    PREPARE(Cql.insert("-1", ":version")),
    COMMIT(Cql.insert(":kind", "0x")),
    COMMIT_DELETION(Cql.DELETION),
    COLLECT(Cql.batch(Cql.insert(":kind", "0x"), Cql.DELETE_PREPARED)),
    PURGE(Cql.batch(Cql.DELETE + Cql.COMMITTED_ROW, Cql.DELETE_PREPARED)),
    DELETE_DELETION(Cql.DELETE + Cql.DELETED_ROW),
    DELETE_PREPARED(Cql.DELETE_PREPARED),
    DROP_PREPARED(
        Cql.DELETE + Cql.OF_PARTITION + " AND kind = -1 AND item = :item AND version = :version"),
    COPY(Cql.insert(":kind", ":version")),
    KEEP_DELETION(Cql.batch(Cql.DELETION, Cql.DELETE_PREPARED)),
    DELETE_ITEM(Cql.DELETE + Cql.OF_PARTITION + " AND kind = :kind AND item = :item"),
    DELETE_GENERATION(Cql.DELETE + Cql.OF_PARTITION + " AND kind = :kind AND item > 0x");

    private final String text;

    Statement(String text) {
      this.text = text;
    }
  }

  /**
   * Parts of statements; the table's name is the first argument, the seconds of a deletion next.
   */
  private static final class Cql {
    static final String OF_PARTITION = " WHERE partition = :partition";
    static final String COMMITTED_ROW =
        OF_PARTITION + " AND kind = 0 AND item = :item AND version = 0x";

    /** The limit is one page, which Cassandra reads all partitions for at once. */
    static final String COMMITTED_ROWS =
        " WHERE partition IN :partitions AND kind = 0 AND item = 0x AND version = 0x LIMIT "
            + CqlStoreOptions.MAX_BATCH_ROWS;

    static final String DELETED_ROW =
        OF_PARTITION + " AND kind = -2 AND item = :item AND version = 0x";
    static final String ITEMS = " AND item >= :first AND item <= :last";
    static final String DELETE = "DELETE FROM %1$s USING TIMESTAMP :micros";
    static final String DELETE_PREPARED =
        DELETE + OF_PARTITION + " AND kind = -1 AND item = :item AND version <= :version";
    static final String DELETION = insert("-2", "0x") + " AND TTL %2$d";

    /**
     * Not an UPDATE: Cassandra looks no further into older SSTables for a row that was inserted,
     * since it knows that such a row exists.
     */
    static String insert(String kind, String version) {
      return "INSERT INTO %1$s (partition, kind, item, version, body) VALUES (:partition, "
          + kind
          + ", :item, "
          + version
          + ", :body) USING TIMESTAMP :micros";
    }

    /** All in one partition: a replica applies all of it at once. */
    static String batch(String... statements) {
      return "BEGIN UNLOGGED BATCH " + String.join("; ", statements) + "; APPLY BATCH";
    }
  }

  /**
   * Prepares the statements of a table.
   *
   * @param deletionSeconds how long a deletion of an item stays in its own kind, where nobody need
   *     forget it; 0 for ever
   */
  static CompletionStage<TableStatements> prepare(
      CqlSession session, String keyspace, String table, String profile, int deletionSeconds) {
    String name = TableLayout.qualified(keyspace, table);
    Map<Statement, CompletableFuture<PreparedStatement>> prepared = new EnumMap<>(Statement.class);
    for (Statement each : Statement.values()) {
      SimpleStatement statement =
          SimpleStatement.newInstance(String.format(each.text, name, deletionSeconds))
              .setIdempotent(true);
      if (!profile.isEmpty()) {
        statement = statement.setExecutionProfileName(profile);
      }
      prepared.put(each, session.prepareAsync(statement).toCompletableFuture());
    }
    return CompletableFuture.allOf(prepared.values().toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              Map<Statement, PreparedStatement> all = new EnumMap<>(Statement.class);
              prepared.forEach((each, future) -> all.put(each, future.getNow(null)));
              return new TableStatements(CqlIdentifier.fromInternal(keyspace), all);
            });
  }

  /** Of a key that is no item. */
  BoundStatement readCommitted(ItemKey key) {
    return bound(Statement.READ_COMMITTED, key);
  }

  /**
   * Those of several partitions with the same replicas.
   *
   * @param keys without items
   */
  BoundStatement readCommitted(List<ItemKey> keys) {
    return ofMany(Statement.READ_COMMITTED_OF_MANY, keys);
  }

  /** As {@link #readCommitted(List)}, of each version no more than its microsecond. */
  BoundStatement readTimes(List<ItemKey> keys) {
    return keys.size() == 1
        ? bound(Statement.READ_TIME, keys.get(0))
        : ofMany(Statement.READ_TIMES, keys);
  }

  private BoundStatement ofMany(Statement statement, List<ItemKey> keys) {
    List<ByteBuffer> partitions = keys.stream().map(key -> key.partition().toBuffer()).toList();
    return statements
        .get(statement)
        .bind()
        .setList("partitions", partitions, ByteBuffer.class)
        .setRoutingKeyspace(keyspace)
        .setRoutingKey(partitions.get(0))
        .setPageSize(CqlStoreOptions.MAX_BATCH_ROWS);
  }

  /** Marker and prepared versions of a key that is no item, in one question. */
  BoundStatement readCandidates(ItemKey key, Collection<Timestamp> versions) {
    List<TupleValue> rows = new ArrayList<>();
    rows.add(row(TableLayout.COMMITTED, key.item(), Bytes.EMPTY));
    return readRows(key, rows, versions);
  }

  /** Where an item may be from one generation to another one, and which generations count. */
  BoundStatement readItem(ItemKey key, int first, int last, Collection<Timestamp> versions) {
    List<TupleValue> rows = new ArrayList<>();
    for (int generation = first; generation <= last; generation++) {
      rows.add(row(generation, key.item(), Bytes.EMPTY));
      if (generation > 0) {
        rows.add(row(generation, key.item(), COPY));
      }
    }
    rows.add(row(TableLayout.DELETED, key.item(), Bytes.EMPTY));
    rows.add(row(TableLayout.GENERATIONS, Bytes.EMPTY, Bytes.EMPTY));
    return readRows(key, rows, versions);
  }

  private BoundStatement readRows(
      ItemKey key, List<TupleValue> rows, Collection<Timestamp> versions) {
    for (Timestamp version : versions) {
      rows.add(row(TableLayout.PREPARED, key.item(), version.toBytes()));
    }
    return routed(Statement.READ_ROWS, key.partition()).setList("rows", rows, TupleValue.class);
  }

  /** Which generations of a collection there are. */
  BoundStatement readGenerations(Bytes partition) {
    List<TupleValue> rows = List.of(row(TableLayout.GENERATIONS, Bytes.EMPTY, Bytes.EMPTY));
    return routed(Statement.READ_ROWS, partition).setList("rows", rows, TupleValue.class);
  }

  /** All generations from the first that counts, and which of them count. */
  BoundStatement readCollection(Bytes partition, int first, int pageRows) {
    return routed(Statement.READ_COLLECTION, partition)
        .setInt(TableLayout.KIND, first)
        .setPageSize(pageRows);
  }

  /**
   * Items of a generation.
   *
   * @param range ends behind where it begins; its limit does not count
   * @param most how many rows, an item may have two
   */
  BoundStatement readRange(ItemRange range, int generation, int most) {
    Bytes first = range.from().length() == 0 ? FIRST_ITEM : range.from();
    return routed(Statement.READ_RANGE, range.partition())
        .setInt(TableLayout.KIND, generation)
        .setByteBuffer(TableLayout.ITEM, first.toBuffer())
        .setInt("last_kind", range.before().isPresent() ? generation : generation + 1)
        .setByteBuffer("last", range.before().orElse(Bytes.EMPTY).toBuffer())
        .setInt("most", most)
        .setPageSize(most);
  }

  /** The names of the next items of a generation. */
  BoundStatement readNames(Bytes partition, int generation, Bytes after, int most) {
    return routed(Statement.READ_NAMES, partition)
        .setInt(TableLayout.KIND, generation)
        .setByteBuffer(TableLayout.ITEM, after.toBuffer())
        .setInt("most", most)
        .setPageSize(most);
  }

  /** The committed versions of some kind, from an item to another one. */
  BoundStatement readItems(Bytes partition, int kind, Bytes first, Bytes last) {
    return between(Statement.READ_ITEMS, partition, first, last).setInt(TableLayout.KIND, kind);
  }

  /** Which versions are prepared, from an item to another one. */
  BoundStatement readPrepared(Bytes partition, Bytes first, Bytes last) {
    return between(Statement.READ_PREPARED, partition, first, last);
  }

  private BoundStatement between(Statement statement, Bytes partition, Bytes first, Bytes last) {
    return routed(statement, partition)
        .setByteBuffer("first", first.toBuffer())
        .setByteBuffer("last", last.toBuffer());
  }

  BoundStatement prepare(ItemKey key, Timestamp version, Bytes body) {
    return withVersion(Statement.PREPARE, key, version).setByteBuffer(BODY, body.toBuffer());
  }

  /**
   * Shows a version.
   *
   * @param generation of an item; else 0
   */
  BoundStatement commit(ItemKey key, int generation, Timestamp version, Bytes body) {
    return written(Statement.COMMIT, key, version)
        .setInt(TableLayout.KIND, generation)
        .setByteBuffer(BODY, body.toBuffer());
  }

  /** Beside {@link #commit}, of an item that is deleted. */
  BoundStatement commitDeletion(ItemKey key, Timestamp version, Bytes body) {
    return written(Statement.COMMIT_DELETION, key, version).setByteBuffer(BODY, body.toBuffer());
  }

  /** Replaces what is prepared, up to a version; for a deletion of an item see the other one. */
  BoundStatement collect(ItemKey key, int generation, Version committed, Bytes body) {
    return withVersion(Statement.COLLECT, key, committed.timestamp())
        .setInt(TableLayout.KIND, generation)
        .setByteBuffer(BODY, body.toBuffer());
  }

  /** Forgets a deletion of a key that is no item. */
  BoundStatement purge(ItemKey key, Timestamp deletion) {
    return withVersion(Statement.PURGE, key, deletion);
  }

  /** Forgets a deletion of an item in its own kind. */
  BoundStatement deleteDeletion(ItemKey key, Timestamp deletion) {
    return written(Statement.DELETE_DELETION, key, deletion);
  }

  /** Forgets what is prepared, up to a version. */
  BoundStatement deletePrepared(ItemKey key, Timestamp version) {
    return withVersion(Statement.DELETE_PREPARED, key, version);
  }

  /** Forgets one prepared version. */
  BoundStatement dropPrepared(ItemKey key, Timestamp version) {
    return withVersion(Statement.DROP_PREPARED, key, version);
  }

  /** An item as a sweep found it, in the next generation. */
  BoundStatement copy(ItemKey key, int generation, Timestamp version, Bytes body) {
    return written(Statement.COPY, key, version)
        .setInt(TableLayout.KIND, generation)
        .setByteBuffer(TableLayout.VERSION, COPY.toBuffer())
        .setByteBuffer(BODY, body.toBuffer());
  }

  /**
   * The deletion in its own kind, and nothing prepared below it, which would come back after it.
   */
  BoundStatement keepDeletion(ItemKey key, Timestamp deletion, Bytes body) {
    return withVersion(Statement.KEEP_DELETION, key, deletion).setByteBuffer(BODY, body.toBuffer());
  }

  /** Takes an item out of a generation, up to a time. */
  BoundStatement deleteItem(ItemKey key, int generation, long upToMicros) {
    return bound(Statement.DELETE_ITEM, key)
        .setInt(TableLayout.KIND, generation)
        .setLong("micros", upToMicros);
  }

  /** Gives back a generation that counts no more, up to a time; a key that is no item stays. */
  BoundStatement deleteGeneration(Bytes partition, int generation, long upToMicros) {
    return routed(Statement.DELETE_GENERATION, partition)
        .setInt(TableLayout.KIND, generation)
        .setLong("micros", upToMicros);
  }

  /** Says which generations count; the later stage wins on every replica. */
  BoundStatement writeGenerations(Bytes partition, Generations generations) {
    return routed(Statement.COMMIT, partition)
        .setInt(TableLayout.KIND, TableLayout.GENERATIONS)
        .setByteBuffer(TableLayout.ITEM, Bytes.EMPTY.toBuffer())
        .setByteBuffer(BODY, generations.encode().toBuffer())
        .setLong("micros", generations.stage());
  }

  private BoundStatement withVersion(Statement statement, ItemKey key, Timestamp version) {
    return written(statement, key, version)
        .setByteBuffer(TableLayout.VERSION, version.toBytes().toBuffer());
  }

  private BoundStatement written(Statement statement, ItemKey key, Timestamp version) {
    return bound(statement, key).setLong("micros", version.micros());
  }

  private BoundStatement bound(Statement statement, ItemKey key) {
    return routed(statement, key.partition())
        .setByteBuffer(TableLayout.ITEM, key.item().toBuffer());
  }

  private BoundStatement routed(Statement statement, Bytes partition) {
    return statements
        .get(statement)
        .bind()
        .setByteBuffer(TableLayout.PARTITION, partition.toBuffer())
        .setRoutingKeyspace(keyspace)
        .setRoutingKey(partition.toBuffer());
  }

  private static TupleValue row(int kind, Bytes item, Bytes version) {
    return ROW.newValue()
        .setInt(0, kind)
        .setByteBuffer(1, item.toBuffer())
        .setByteBuffer(2, version.toBuffer());
  }
}
