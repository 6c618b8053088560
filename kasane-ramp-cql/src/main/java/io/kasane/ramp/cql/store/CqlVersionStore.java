/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Versions in the tables of one keyspace, through a driver session that stays the caller's.
 *
 * <p>A committed version is read by its exact row. Prepared versions lie in the same partition, so
 * that one question shows both, and one batch replaces the one and deletes the others. Cells carry
 * the microseconds of their transaction: the last write wins on every replica, whatever the order
 * of arrival. Thread-safe; what is returned completes on driver threads.
 */
public final class CqlVersionStore implements TableStore {
  /** Twenty years: Cassandra's own bound. */
  private static final long MAX_TTL_SECONDS = 630_720_000;

  private final CqlTables tables;
  private final Requests requests;
  private final ReplicaGroups groups;
  private final ReplicaGroups checks;
  private final PartitionScan scan;
  private final Levels levels;
  private final Set<Strength> quorums;
  private final Items items;
  private final OpenGenerations generations;
  private final Sweeps sweeps;
  private final CqlStoreOptions options;

  /** A store of a client that has the default options. */
  public CqlVersionStore(
      CqlSession session, KeyspaceFacts keyspace, Levels levels, CqlStoreOptions options) {
    this(session, keyspace, levels, options, RampOptions.defaults());
  }

  /**
   * A store in that keyspace.
   *
   * @param shared what the client's options say of what all clients of a table share
   * @throws IllegalArgumentException if the levels do not fit the keyspace, or the session's retry
   *     policy changes levels
   */
  public CqlVersionStore(
      CqlSession session,
      KeyspaceFacts keyspace,
      Levels levels,
      CqlStoreOptions options,
      RampOptions shared) {
    levels.check(keyspace);
    this.quorums = levels.quorums(keyspace);
    RetryCheck.check(session, options.executionProfile());
    this.tables =
        new CqlTables(
            session,
            keyspace.name(),
            Contracts.of(shared, levels),
            options.executionProfile(),
            deletionSeconds(shared));
    this.requests = new Requests(session, options);
    this.groups =
        ReplicaGroups.in(session, keyspace.name(), options.maxBatchRows(), options.maxBatchBytes());
    this.checks = ReplicaGroups.anywhere(options.maxCheckedKeys());
    this.scan = new PartitionScan(session, keyspace.name(), levels.markerCheck());
    this.levels = levels;
    this.options = options;
    KnownGenerations known = new KnownGenerations();
    this.items = new Items(requests, known, levels.markerCheck(), options.pageRows());
    this.generations =
        new OpenGenerations(known, requests, this::table, levels.markerCheck(), shared.gcWindow());
    this.sweeps = new Sweeps(known, requests, levels, shared.gcWindow());
  }

  /** As long as a purge would leave it; longer than Cassandra lets anything live is for ever. */
  private static int deletionSeconds(RampOptions shared) {
    long seconds = shared.gcGrace().plus(shared.maxClockDrift().multipliedBy(2)).toSeconds() + 1;
    return seconds > MAX_TTL_SECONDS ? 0 : (int) seconds;
  }

  /**
   * Makes a table if it is missing and the options say so, checks it and prepares its statements;
   * fails with {@link io.kasane.ramp.cql.schema.RefusedSchemaException} if it is none of versions.
   */
  @Override
  public CompletionStage<Void> open(String table) {
    return tables.table(table, options.createTables()).thenApply(opened -> null);
  }

  /**
   * All partitions of a table that have a version of any kind, once each, in the order of their
   * tokens; waits for Cassandra while it is gone through.
   */
  @Override
  public Stream<Bytes> partitions(String table) {
    return scan.of(table);
  }

  /** The levels in use. */
  public Levels levels() {
    return levels;
  }

  /** Tables without blocking read repair are refused, so what a read shows stays. */
  @Override
  public boolean isQuorum(Strength strength) {
    return quorums.contains(strength);
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    ConsistencyLevel level = level(strength, levels.markerCheck());
    List<List<ItemKey>> together =
        groups.of(
            keys,
            key -> key.partition().toBuffer(),
            key -> OpenGenerations.isItem(key) ? key : key.table(),
            key -> 0);
    return Requests.each(
            together,
            group ->
                group.size() == 1
                    ? readCommitted(group.get(0), level, isQuorum(strength))
                        .thenApply(one -> Map.of(group.get(0), one))
                    : readCommitted(group, level))
        .thenApply(
            parts -> {
              Map<ItemKey, Answer> answers = new HashMap<>();
              parts.forEach(answers::putAll);
              return keys.stream().map(answers::get).toList();
            });
  }

  private CompletionStage<Answer> readCommitted(
      ItemKey key, ConsistencyLevel level, boolean isQuorum) {
    if (OpenGenerations.isItem(key)) {
      return readCandidates(key, List.of(), level, isQuorum).thenApply(Candidates::committed);
    }
    return table(key.table())
        .thenCompose(table -> requests.rows(table.readCommitted(key), "read " + key.table(), level))
        .thenApply(Bodies::committed);
  }

  /** Of one table, none of them items. */
  private CompletionStage<Map<ItemKey, Answer>> readCommitted(
      List<ItemKey> keys, ConsistencyLevel level) {
    String name = keys.get(0).table();
    return table(name)
        .thenCompose(table -> requests.rows(table.readCommitted(keys), "read " + name, level))
        .thenApply(Bodies::committedByPartition)
        .thenApply(
            found -> {
              Map<ItemKey, Answer> answers = new HashMap<>();
              keys.forEach(
                  key ->
                      answers.put(key, found.getOrDefault(key.partition(), new Answer.Absent())));
              return answers;
            });
  }

  /**
   * Of single keys no more than the times of their cells, which are their versions': so little that
   * a request costs more than what it asks for, and a coordinator need not hold the keys.
   */
  @Override
  public CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, Strength strength) {
    ConsistencyLevel level = level(strength, levels.markerCheck());
    Map<Boolean, List<ItemKey>> byKind =
        keys.stream().collect(Collectors.partitioningBy(OpenGenerations::isItem));
    List<List<ItemKey>> together =
        checks.of(byKind.get(false), key -> key.partition().toBuffer(), ItemKey::table, key -> 0);
    return TableStore.super
        .newestCommitted(byKind.get(true), strength)
        .thenCombine(
            Requests.each(together, group -> newestCommitted(group, level)),
            (ofItems, others) -> others.stream().reduce(ofItems, Timestamp::max));
  }

  private CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, ConsistencyLevel level) {
    String name = keys.get(0).table();
    return table(name)
        .thenCompose(table -> requests.rows(table.readTimes(keys), "read " + name, level))
        .thenApply(Bodies::newest);
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    ConsistencyLevel level = level(strength, levels.secondRound());
    return Requests.each(queries, query -> readCandidates(query, level, isQuorum(strength)));
  }

  /**
   * Many versions are asked for in several questions, each with the marker. The highest marker
   * counts: what one of the questions did not show and lies below it was overwritten.
   */
  private CompletionStage<Candidates> readCandidates(
      CandidateQuery query, ConsistencyLevel level, boolean isQuorum) {
    return Requests.each(
            chunks(query), chunk -> readCandidates(query.key(), chunk, level, isQuorum))
        .thenApply(Bodies::together);
  }

  private List<List<Timestamp>> chunks(CandidateQuery query) {
    List<Timestamp> all = new ArrayList<>(query.timestamps());
    List<List<Timestamp>> chunks = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(all.size(), from + options.maxCandidates());
      chunks.add(all.subList(from, to));
      from = to;
    } while (from < all.size());
    return chunks;
  }

  private CompletionStage<Candidates> readCandidates(
      ItemKey key, List<Timestamp> timestamps, ConsistencyLevel level, boolean isQuorum) {
    return table(key.table())
        .thenCompose(
            table ->
                OpenGenerations.isItem(key)
                    ? items.candidates(table, key, timestamps, level, isQuorum)
                    : requests
                        .rows(
                            table.readCandidates(key, timestamps),
                            "read versions of " + key.table(),
                            level)
                        .thenApply(rows -> Bodies.candidates(key, rows, TableLayout.COMMITTED)));
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    ConsistencyLevel level = level(strength, levels.secondRound());
    return table(wanted.table())
        .thenCompose(table -> items.read(table, wanted, level, isQuorum(strength)));
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return table(table)
        .thenCompose(statements -> sweeps.open(statements, new CollectionKey(table, partition)));
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return table(table)
        .thenCompose(statements -> sweeps.sweep(statements, new CollectionKey(table, partition)));
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return write(
        writes,
        (table, write) ->
            List.of(table.prepare(write.key(), write.version().timestamp(), body(write))),
        "prepare in ",
        levels.prepare());
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    return generations.write(
        writes,
        (some, generation) ->
            write(
                some,
                (table, write) -> commits(table, write, generation.applyAsInt(write.key())),
                "commit to ",
                levels.commit()));
  }

  private static List<BoundStatement> commits(TableStatements table, Write write, int generation) {
    Timestamp timestamp = write.version().timestamp();
    Bytes body = body(write);
    BoundStatement commit = table.commit(write.key(), generation, timestamp, body);
    return OpenGenerations.isItem(write.key()) && write.version().isDeletion()
        ? List.of(commit, table.commitDeletion(write.key(), timestamp, body))
        : List.of(commit);
  }

  private CompletionStage<Void> write(
      Collection<Write> writes,
      BiFunction<TableStatements, Write, List<BoundStatement>> statements,
      String what,
      ConsistencyLevel level) {
    return Requests.each(
            writes,
            write ->
                table(write.key().table())
                    .thenApply(table -> new Row(write.key(), statements.apply(table, write))))
        .thenApply(
            rows ->
                groups.of(rows, row -> row.key.partition().toBuffer(), row -> "", Row::weightBytes))
        .thenCompose(
            groups ->
                Requests.each(
                    groups,
                    group ->
                        requests.write(
                            together(group), bytesOf(group), what + tables(group), level)))
        .thenApply(done -> null);
  }

  /**
   * Unlogged: the protocol needs no batch to be whole. Each row keeps its own time, and each
   * partition is applied as if it had come alone.
   */
  private Statement<?> together(List<Row> rows) {
    BatchableStatement<?>[] statements =
        rows.stream().flatMap(row -> row.statements.stream()).toArray(BatchableStatement<?>[]::new);
    if (statements.length == 1) {
      return statements[0];
    }
    BatchStatement batch = BatchStatement.newInstance(BatchType.UNLOGGED, statements);
    return options.executionProfile().isEmpty()
        ? batch
        : batch.setExecutionProfileName(options.executionProfile());
  }

  private static long bytesOf(List<Row> rows) {
    return rows.stream().mapToLong(Row::weightBytes).sum();
  }

  private static String tables(List<Row> rows) {
    return rows.stream()
        .map(row -> row.key.table())
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }

  @Override
  public CompletionStage<Void> collect(Write committed) {
    ItemKey key = committed.key();
    Bytes body = body(committed);
    if (OpenGenerations.isItem(key) && committed.version().isDeletion()) {
      // Not in its generation again: a sweep may have left it behind meanwhile.
      return collect(
          key, table -> table.keepDeletion(key, committed.version().timestamp(), body), body);
    }
    return generations.write(
        List.of(committed),
        (one, generation) ->
            collect(
                key,
                table -> table.collect(key, generation.applyAsInt(key), committed.version(), body),
                body));
  }

  private CompletionStage<Void> collect(
      ItemKey key, Function<TableStatements, BoundStatement> statement, Bytes body) {
    return table(key.table())
        .thenCompose(
            table ->
                requests.write(
                    statement.apply(table),
                    body.length(),
                    "collect versions of " + key.table(),
                    levels.collect()));
  }

  /**
   * Looks first. Of a tombstone and a version with the same microsecond Cassandra keeps the
   * tombstone, and that version may be another client's and the higher one.
   */
  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return readCommitted(key, levels.markerCheck(), isQuorum(Strength.QUORUM))
        .thenCompose(
            committed ->
                committed.marker().equals(deletion)
                    ? generations.write(
                        List.of(new Write(key, ((Answer.Present) committed).version())),
                        (one, generation) -> purge(key, generation.applyAsInt(key), deletion))
                    : CompletableFuture.completedFuture(null));
  }

  private CompletionStage<Void> purge(ItemKey key, int generation, Timestamp deletion) {
    return table(key.table())
        .thenCompose(
            table -> {
              List<BoundStatement> statements = new ArrayList<>();
              if (OpenGenerations.isItem(key)) {
                // Of those beside it, too: a sweep may not have ended, or begun at some replicas.
                for (int each = Math.max(0, generation - 1); each <= generation + 1; each++) {
                  statements.add(table.deleteItem(key, each, deletion.micros()));
                }
                statements.add(table.deleteDeletion(key, deletion));
                statements.add(table.deletePrepared(key, deletion));
              } else {
                statements.add(table.purge(key, deletion));
              }
              return requests.write(
                  together(List.of(new Row(key, statements))),
                  0,
                  "purge " + key.table(),
                  levels.commit());
            });
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return table(key.table())
        .thenCompose(
            table ->
                requests.write(
                    table.dropPrepared(key, prepared),
                    0,
                    "drop a version of " + key.table(),
                    levels.prepare()));
  }

  private static Bytes body(Write write) {
    return VersionCodec.encode(write.version());
  }

  private CompletionStage<TableStatements> table(String name) {
    return tables.table(name, false);
  }

  private ConsistencyLevel level(Strength strength, ConsistencyLevel quorum) {
    return switch (strength) {
      case FIRST_ROUND -> levels.firstRound();
      case QUORUM -> quorum;
      case ALL -> levels.all();
    };
  }

  /** What is written to one key: in one request, so that a replica has all of it or nothing. */
  private record Row(ItemKey key, List<BoundStatement> statements) {
    /** As the node reckons it, about: the values. */
    long weightBytes() {
      return statements.stream()
          .flatMap(statement -> statement.getValues().stream())
          .mapToLong(ByteBuffer::remaining)
          .sum();
    }
  }
}
