/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaWriter;
import io.kasane.host.config.ArenaSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The arenas of a node: makes them when their tables are there, and ten times a second looks
 * whether what is in them may be read. Thread-safe.
 */
final class NodeArenas {
  private static final Logger logger = LoggerFactory.getLogger(NodeArenas.class);
  private static final long BEAT_MILLIS = 100;
  private static final int WAITING_FILLS = 1_000;

  /** Each look, as long as there is room: so some thousand a second at most. */
  private static final int WARMED_AT_ONCE = 500;

  private static final long SAVE_SECONDS = Long.getLong("kasane.arena_save_seconds", 60);
  private static final long REST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ArenaSettings settings;
  private final ArenaFiles files;
  private final Map<String, TableArena> arenas = new ConcurrentHashMap<>();

  /** Tables that cannot have one, so that it is said once. */
  private final Set<TableId> refused = new HashSet<>();

  /** When one that was given up may be made anew, by the table's name. */
  private final Map<String, Long> notBeforeNanos = new HashMap<>();

  /** What is made of a file, on a thread of its own: other arenas are to beat meanwhile. */
  private record Made(ArenaWriter writer, List<ByteBuffer> keys) {}

  /** An arena that is being made. */
  private record Making(TableMetadata table, Future<Made> made) {}

  /** By the table's name: one of that name is made after the other. */
  private final Map<String, Making> making = new HashMap<>();

  private final ExecutorService makers =
      Executors.newSingleThreadExecutor(daemon("kasane-arena-make"));

  /** Partitions that had slots when the node ended, and wait for a fill. */
  private final Map<TableArena, Deque<ByteBuffer>> cold = new ConcurrentHashMap<>();

  private final ExecutorService fills =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING_FILLS),
          daemon("kasane-arena-fill"));

  NodeArenas(ArenaSettings settings, ArenaFiles files) {
    this.settings = settings;
    this.files = files;
  }

  private static ThreadFactory daemon(String name) {
    return run -> {
      Thread thread = new Thread(run, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Begins to look; may be called before there is a schema. */
  void start() throws IOException {
    files.deleteOthers();
    ScheduledExecutorService beats =
        Executors.newSingleThreadScheduledExecutor(daemon("kasane-arena"));
    ScheduledFuture<?> unused =
        beats.scheduleWithFixedDelay(this::look, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    ScheduledExecutorService saves =
        Executors.newSingleThreadScheduledExecutor(daemon("kasane-arena-keys"));
    ScheduledFuture<?> unusedToo =
        saves.scheduleWithFixedDelay(this::save, SAVE_SECONDS, SAVE_SECONDS, TimeUnit.SECONDS);
    logger.info("Arenas in {}", files);
  }

  List<TableArena> all() {
    return new ArrayList<>(arenas.values());
  }

  private void look() {
    try {
      if (!isMember()) {
        arenas.values().forEach(arena -> arena.writer().rest());
        return;
      }
      followTables();
      // Before the beat that comes after the change: nobody reads what is no longer of this node.
      long ringVersion = StorageService.instance.getTokenMetadata().getRingVersion();
      for (TableArena arena : arenas.values()) {
        arena.followRing(ringVersion);
        arena.followTruncations();
        warm(arena);
        if (!arena.hasFailed()) {
          arena.writer().beat();
        }
      }
    } catch (RuntimeException | Error e) {
      // Without a beat nobody reads them.
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Looking after arenas failed; it is tried again, and nobody reads them", e);
    }
  }

  /** Else this node may not be told of all that is written to its replicas. */
  private static boolean isMember() {
    return StorageService.instance.isInitialized()
        && StorageService.instance.isNormal()
        && Gossiper.instance.isEnabled();
  }

  private void followTables() {
    for (Map.Entry<String, Long> wanted : settings.tables().entrySet()) {
      int dot = wanted.getKey().indexOf('.');
      TableMetadata table =
          Schema.instance.getTableMetadata(
              wanted.getKey().substring(0, dot), wanted.getKey().substring(dot + 1));
      TableArena known = arenas.get(wanted.getKey());
      if (known != null
          && (table == null || !known.table().id.equals(table.id) || known.hasFailed())) {
        if (known.hasFailed()) {
          notBeforeNanos.put(wanted.getKey(), System.nanoTime() + REST_NANOS);
        }
        arenas.remove(wanted.getKey());
        cold.remove(known);
        known.close();
        if (!known.hasFailed()) {
          forgetKeys(known.table()); // it was dropped
        }
        known = null;
      }
      if (known == null) {
        make(wanted.getKey(), Optional.ofNullable(table), wanted.getValue());
      }
    }
  }

  /** One reader after the other, and as many as it takes: a start is no storm on the disks. */
  private void warm(TableArena arena) {
    Deque<ByteBuffer> left = cold.get(arena);
    if (left == null) {
      return;
    }
    for (int i = 0; i < WARMED_AT_ONCE && !left.isEmpty() && arena.warm(left.peek()); i++) {
      left.remove();
    }
    if (left.isEmpty()) {
      cold.remove(arena);
    }
  }

  private List<ByteBuffer> load(TableMetadata table) {
    try {
      return keysOf(table).load();
    } catch (IOException e) {
      logger.warn("The arena of {} begins empty: {}", table, e.toString());
      return List.of();
    }
  }

  private void save() {
    for (TableArena arena : arenas.values()) {
      try {
        if (!cold.containsKey(arena)) {
          keysOf(arena.table()).save(arena.writer().keysByReads());
        }
      } catch (IOException | RuntimeException e) {
        logger.warn(
            "Which keys the arena of {} has was not saved, so that it begins as it was a minute"
                + " ago: {}",
            arena.table(),
            e.toString());
      }
    }
  }

  private static void forgetKeys(TableMetadata table) {
    try {
      keysOf(table).delete();
    } catch (IOException e) {
      logger.warn("Cannot delete which keys the arena of {} had: {}", table, e.toString());
    }
  }

  private static SavedKeys keysOf(TableMetadata table) {
    return new SavedKeys(
        Path.of(DatabaseDescriptor.getSavedCachesLocation(), "kasane")
            .resolve("arena-" + table.id.toHexString() + ".keys"));
  }

  private boolean mayBeMade(String table) {
    Long notBefore = notBeforeNanos.get(table);
    return notBefore == null || System.nanoTime() - notBefore >= 0;
  }

  /** Begins to make an arena, or takes it into use when it is made. */
  private void make(String name, Optional<TableMetadata> table, long bytes) {
    Making known = making.get(name);
    if (known == null) {
      table
          .filter(each -> !refused.contains(each.id) && mayBeMade(name))
          .ifPresent(each -> begin(name, each, bytes));
    } else if (known.made().isDone()) {
      making.remove(name);
      use(known, table);
    }
  }

  private void begin(String name, TableMetadata table, long bytes) {
    if (ColumnFamilyStore.getIfExists(table.id) == null) {
      return; // it is being made, or dropped
    }
    try {
      CommittedRow unused = CommittedRow.of(table);
      if (!(DatabaseDescriptor.getPartitioner() instanceof Murmur3Partitioner)) {
        throw new IllegalArgumentException("the partitioner is not Murmur3Partitioner");
      }
    } catch (IllegalArgumentException e) {
      refuse(table, e);
      return;
    }
    making.put(
        name,
        new Making(table, makers.submit(() -> new Made(files.create(table, bytes), load(table)))));
  }

  private void use(Making known, Optional<TableMetadata> now) {
    TableMetadata table = known.table();
    try {
      Made made = known.made().get();
      ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table.id);
      if (store == null || now.filter(each -> each.id.equals(table.id)).isEmpty()) {
        made.writer().close(); // it was dropped meanwhile
        return;
      }
      TableArena arena =
          TableArena.follow(store, CommittedRow.of(store.metadata()), made.writer(), fills);
      arenas.put(table.keyspace + "." + table.name, arena);
      cold.put(arena, new ArrayDeque<>(made.keys()));
      logger.info(
          "{} has an arena of {} bytes with {} slots",
          table,
          made.writer().fileBytes(),
          made.writer().slots());
    } catch (ExecutionException e) {
      refuse(table, e.getCause());
    } catch (IOException e) {
      logger.warn("Cannot take away the arena of {}: {}", table, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(TableMetadata table, Throwable reason) {
    refused.add(table.id);
    logger.error(
        "{} has no arena: {}. Correct 'arenas' in kasane.yaml, and restart",
        table,
        reason.getMessage());
  }
}
