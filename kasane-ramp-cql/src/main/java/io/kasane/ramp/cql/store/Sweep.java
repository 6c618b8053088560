/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Takes deleted items out of the rows of kind 0 of a collection: each run of them, between items
 * that must stay, by one range tombstone, which costs later reads nothing. First their deletions
 * are made to be in kind 2, where a key is looked for by name.
 *
 * <p>The tombstone hides whatever is written to the run up to its time, so nothing may be there
 * that is not known to be deleted. All replicas are asked, since what only one of them has left may
 * be needed to heal. What is prepared is read first, and then what is committed: what was collected
 * before the first look is in the second one. What is prepared and newer than what is committed may
 * still be committed, and stays a gap. And what is prepared later has a higher time, as whoever
 * calls this knows.
 */
final class Sweep {
  private static final int CHUNK_ROWS = 300;

  private final Requests requests;
  private final Levels levels;
  private final TableStatements table;
  private final String name;
  private final Bytes partition;
  private final long upToMicros;

  Sweep(
      Requests requests,
      Levels levels,
      TableStatements table,
      String name,
      Bytes partition,
      long upToMicros) {
    this.requests = requests;
    this.levels = levels;
    this.table = table;
    this.name = name;
    this.partition = partition;
    this.upToMicros = upToMicros;
  }

  /** Goes through all items, some at a time. */
  CompletionStage<Void> run() {
    ConsistencyLevel level = levels.secondRound();
    return requests
        .rows(table.readCollection(partition, CHUNK_ROWS), "sweep " + name, level)
        .thenApply(rows -> new TreeMap<>(Bodies.collection(name, partition, rows)))
        .thenCompose(items -> chunk(List.copyOf(items.entrySet()), 0));
  }

  private CompletionStage<Void> chunk(List<Map.Entry<ItemKey, Version>> items, int from) {
    if (from >= items.size()) {
      return CompletableFuture.completedFuture(null);
    }
    int to = Math.min(items.size(), from + CHUNK_ROWS);
    return sweep(items.subList(from, to)).thenCompose(done -> chunk(items, to));
  }

  private CompletionStage<Void> sweep(List<Map.Entry<ItemKey, Version>> items) {
    Bytes first = items.get(0).getKey().item();
    Bytes last = items.get(items.size() - 1).getKey().item();
    return requests
        .rows(table.readPrepared(partition, first, last), "sweep " + name, levels.all())
        .thenCompose(
            prepared ->
                between(TableLayout.COMMITTED, first, last)
                    .thenCombine(
                        between(TableLayout.DELETED, first, last),
                        (committed, deleted) ->
                            sweep(
                                List.copyOf(versions(committed).entrySet()),
                                newest(prepared),
                                timestamps(versions(deleted)))))
        .thenCompose(done -> done);
  }

  private Map<ItemKey, Version> versions(List<Row> rows) {
    return new TreeMap<>(Bodies.collection(name, partition, rows));
  }

  private CompletionStage<List<Row>> between(byte kind, Bytes first, Bytes last) {
    return requests.rows(
        table.readItems(partition, kind, first, last), "sweep " + name, levels.all());
  }

  private CompletionStage<Void> sweep(
      List<Map.Entry<ItemKey, Version>> items,
      Map<Bytes, Timestamp> prepared,
      Map<Bytes, Timestamp> deleted) {
    List<Run> runs = runs(items, prepared);
    List<CompletionStage<Void>> copies = new ArrayList<>();
    for (Map.Entry<ItemKey, Version> item : items) {
      ItemKey key = item.getKey();
      Timestamp timestamp = item.getValue().timestamp();
      boolean covered = runs.stream().anyMatch(run -> run.covers(key.item()));
      boolean kept = !timestamp.isAfter(deleted.getOrDefault(key.item(), Timestamp.NONE));
      if (covered && (!kept || prepared.containsKey(key.item()))) {
        Bytes body = VersionCodec.encode(item.getValue());
        copies.add(
            requests.write(
                table.keepDeleted(key, timestamp, body),
                body.length(),
                "sweep " + name,
                levels.commit()));
      }
    }
    return Requests.each(copies, copy -> copy)
        .thenCompose(
            done ->
                Requests.each(
                    runs,
                    run ->
                        requests.write(
                            table.sweep(partition, run.first, run.last, upToMicros),
                            0,
                            "sweep " + name,
                            levels.commit())))
        .thenApply(done -> null);
  }

  /** The longest runs of items that may go, with none between them that must stay. */
  private List<Run> runs(List<Map.Entry<ItemKey, Version>> items, Map<Bytes, Timestamp> prepared) {
    Map<Bytes, Version> committed = new TreeMap<>();
    items.forEach(item -> committed.put(item.getKey().item(), item.getValue()));
    Set<Bytes> all = new TreeSet<>(committed.keySet());
    all.addAll(prepared.keySet());
    List<Run> runs = new ArrayList<>();
    Run open = null;
    for (Bytes item : all) {
      if (mayGo(committed.get(item), prepared.getOrDefault(item, Timestamp.NONE))) {
        open = open == null ? new Run(item, item) : new Run(open.first, item);
      } else if (open != null) {
        runs.add(open);
        open = null;
      }
    }
    if (open != null) {
      runs.add(open);
    }
    return runs;
  }

  private boolean mayGo(Version committed, Timestamp prepared) {
    return committed != null
        && committed.isDeletion()
        && committed.timestamp().micros() <= upToMicros
        && !prepared.isAfter(committed.timestamp());
  }

  private static Map<Bytes, Timestamp> newest(List<Row> prepared) {
    Map<Bytes, Timestamp> newest = new TreeMap<>();
    for (Row row : prepared) {
      newest.merge(
          Bytes.copyOf(row.getByteBuffer(TableLayout.ITEM)),
          Timestamp.read(row.getByteBuffer(TableLayout.VERSION)),
          Timestamp::max);
    }
    return newest;
  }

  private static Map<Bytes, Timestamp> timestamps(Map<ItemKey, Version> versions) {
    Map<Bytes, Timestamp> timestamps = new TreeMap<>();
    versions.forEach((key, version) -> timestamps.put(key.item(), version.timestamp()));
    return timestamps;
  }

  /**
   * Items next to each other.
   *
   * @param first the first of them
   * @param last the last of them
   */
  private record Run(Bytes first, Bytes last) {
    boolean covers(Bytes item) {
      return first.compareTo(item) <= 0 && last.compareTo(item) >= 0;
    }
  }
}
