/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Copies the live items of a collection into the generation that is open, so that readers begin
 * there, and gives the one before back. Deletions stay behind, in their own kind, where a key is
 * looked for by name.
 *
 * <p>All replicas are asked, and all must take the copies, so that no item is at fewer of them than
 * before. Each step may be repeated, by others too, and nothing is given back before readers begin
 * behind it.
 */
final class Sweep {
  private static final int CHUNK_ITEMS = 300;

  private final Requests requests;
  private final Levels levels;
  private final TableStatements table;
  private final CollectionKey collection;
  private final Generations generations;
  private Timestamp left = Timestamp.NONE;
  private long newestMicros;

  /**
   * A sweep to be.
   *
   * @param generations as all replicas say; the next one is open for so long that nothing more is
   *     acknowledged in the one before
   */
  Sweep(
      Requests requests,
      Levels levels,
      TableStatements table,
      CollectionKey collection,
      Generations generations) {
    this.requests = requests;
    this.levels = levels;
    this.table = table;
    this.collection = collection;
    this.generations = generations;
  }

  /** Goes through all items, some at a time, and says where they are now. */
  CompletionStage<Generations> run() {
    return chunk(Bytes.EMPTY)
        .thenCompose(done -> announce(generations.swept(left)))
        .thenCompose(swept -> giveBack().thenApply(given -> swept));
  }

  /** Where others have gone on meanwhile, theirs is the later stage, and must have this horizon. */
  private CompletionStage<Generations> announce(Generations next) {
    return all(table.writeGenerations(collection.partition(), next))
        .thenCompose(written -> rows(table.readGenerations(collection.partition())))
        .thenCompose(
            rows -> {
              Generations found = Bodies.generations(rows);
              return next.horizon().isAfter(found.horizon())
                  ? announce(new Generations(found.stage(), next.horizon()))
                  : CompletableFuture.completedFuture(found);
            });
  }

  private CompletionStage<Void> chunk(Bytes after) {
    BoundStatement names =
        table.readNames(collection.partition(), generations.first(), after, CHUNK_ITEMS);
    return rows(names)
        .thenCompose(
            rows -> {
              if (rows.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              Bytes last = item(rows.get(rows.size() - 1));
              return copy(item(rows.get(0)), last).thenCompose(done -> chunk(last));
            });
  }

  private CompletionStage<Void> copy(Bytes first, Bytes last) {
    Map<Bytes, Found> items = new TreeMap<>();
    return rows(table.readPrepared(collection.partition(), first, last))
        .thenAccept(rows -> rows.forEach(row -> found(items, row).prepared(row)))
        .thenCompose(done -> read(TableLayout.DELETED, items, first, last))
        .thenCompose(done -> read(generations.first(), items, first, last))
        .thenCompose(done -> read(generations.open(), items, first, last))
        .thenCompose(
            done -> {
              List<BoundStatement> writes = new ArrayList<>();
              items.values().forEach(found -> found.addTo(writes));
              return Requests.each(writes, this::all).thenApply(written -> null);
            });
  }

  private CompletionStage<Void> read(int kind, Map<Bytes, Found> items, Bytes first, Bytes last) {
    return rows(table.readItems(collection.partition(), kind, first, last))
        .thenAccept(rows -> rows.forEach(row -> found(items, row).committed(kind, row)));
  }

  private Found found(Map<Bytes, Found> items, Row row) {
    return items.computeIfAbsent(
        item(row),
        name -> new Found(new ItemKey(collection.table(), collection.partition(), name)));
  }

  /** Only what was there by now: a late write of the same generation counts for nobody. */
  private CompletionStage<Void> giveBack() {
    return requests.write(
        table.deleteGeneration(collection.partition(), generations.first(), newestMicros),
        0,
        "sweep " + collection.table(),
        levels.commit());
  }

  private CompletionStage<List<Row>> rows(BoundStatement read) {
    return requests.rows(read, "sweep " + collection.table(), levels.all());
  }

  private CompletionStage<Void> all(BoundStatement write) {
    return requests.write(write, 0, "sweep " + collection.table(), levels.all());
  }

  private static Bytes item(Row row) {
    return Bytes.copyOf(row.getByteBuffer(TableLayout.ITEM));
  }

  /** An item, where it was found. */
  private final class Found {
    private final ItemKey key;
    private Version newest;
    private int newestKind;
    private Timestamp deletion = Timestamp.NONE;
    private Timestamp oldestPrepared;
    private boolean isInOpen;

    Found(ItemKey key) {
      this.key = key;
    }

    void prepared(Row row) {
      Timestamp timestamp = Timestamp.read(row.getByteBuffer(TableLayout.VERSION));
      if (oldestPrepared == null || oldestPrepared.isAfter(timestamp)) {
        oldestPrepared = timestamp;
      }
    }

    void committed(int kind, Row row) {
      ByteBuffer body = row.getByteBuffer(TableLayout.BODY);
      if (body == null) {
        return;
      }
      Version version = Bodies.item(key, body);
      if (kind == TableLayout.DELETED) {
        deletion = version.timestamp();
      } else if (kind == generations.first()) {
        newestMicros = Math.max(newestMicros, version.timestamp().micros());
      } else {
        isInOpen = true;
      }
      if (newest == null || version.timestamp().isAfter(newest.timestamp())) {
        newest = version;
        newestKind = kind;
      }
    }

    void addTo(List<BoundStatement> writes) {
      if (newest == null) {
        return;
      }
      Timestamp timestamp = newest.timestamp();
      Bytes body = VersionCodec.encode(newest);
      if (!newest.isDeletion()) {
        if (newestKind == generations.first()) {
          writes.add(table.copy(key, generations.open(), timestamp, body));
        }
        return;
      }
      left = timestamp.isAfter(left) ? timestamp : left;
      boolean leaves = oldestPrepared != null && !oldestPrepared.isAfter(timestamp);
      if (leaves || timestamp.isAfter(deletion)) {
        writes.add(table.keepDeletion(key, timestamp, body));
      }
      if (isInOpen) {
        // The deletion's own row may lie there, and that of another client's same microsecond.
        writes.add(table.deleteItem(key, generations.open(), timestamp.micros() - 1));
      }
    }
  }
}
