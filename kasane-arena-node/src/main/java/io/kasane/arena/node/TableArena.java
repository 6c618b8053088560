/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaWriter;
import io.kasane.arena.node.CommittedRow.Committed;
import io.kasane.arena.node.CommittedRow.State;
import io.kasane.arena.node.CommittedRow.Untouched;
import io.kasane.host.KasaneStorageHook;
import io.kasane.host.read.TableFollower;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The arena of one table, kept in step with it. Thread-safe. */
final class TableArena implements TableFollower, INotificationConsumer, AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(TableArena.class);

  /** Reads of fills are no reads of clients. */
  private static final ThreadLocal<Boolean> isFilling = ThreadLocal.withInitial(() -> false);

  private final ColumnFamilyStore store;
  private final CommittedRow row;
  private final ArenaWriter writer;
  private final Executor fills;
  private final Set<DecoratedKey> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean hasFailed;

  /** Which ring, and which replication, it was last made to fit. */
  private long fittedRingVersion = -1;

  private AbstractReplicationStrategy fittedStrategy;

  /** When the table was truncated last, as Cassandra has noted it; guarded by this. */
  private long truncatedAt;

  /** When the last truncation began, which is what Cassandra notes when it has ended. */
  private long truncatingAt;

  /** Whether it has not ended; guarded by this. */
  private boolean isBeingTruncated;

  private TableArena(
      ColumnFamilyStore store, CommittedRow row, ArenaWriter writer, Executor fills) {
    this.store = store;
    this.row = row;
    this.writer = writer;
    this.fills = fills;
    // Before it follows: of one that is under way it hears by this alone.
    this.truncatedAt = SystemKeyspace.getTruncatedAt(store.metadata.id);
  }

  /**
   * Begins to follow a table.
   *
   * @param writer of an arena without keys, which is this one's from now on
   * @param fills does the reads of fills, one after the other; may refuse some
   */
  static TableArena follow(
      ColumnFamilyStore store, CommittedRow row, ArenaWriter writer, Executor fills) {
    TableArena arena = new TableArena(store, row, writer, fills);
    writer.own(token -> false); // until it is known what this node is a replica of
    // Before the first fill reads: what is written from then on is heard of.
    store.getTracker().subscribe(arena);
    KasaneStorageHook.follow(store.metadata.id, arena);
    return arena;
  }

  TableMetadata table() {
    return store.metadata();
  }

  ArenaWriter writer() {
    return writer;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  private static ArenaKey arenaKey(DecoratedKey key) {
    return ArenaKey.of(key.getKey(), ByteBufferUtil.EMPTY_BYTE_BUFFER);
  }

  @Override
  public void onWrite(PartitionUpdate update) {
    State state = row.in(update);
    if (state instanceof Committed version) {
      writer.update(arenaKey(update.partitionKey()), version.version());
    } else if (!(state instanceof Untouched)) {
      writer.evict(arenaKey(update.partitionKey()));
    }
  }

  @Override
  public void onRead(DecoratedKey key) {
    if (isFilling.get() || !writer.noteRead(arenaKey(key)) || !waiting.add(key)) {
      return;
    }
    try {
      fills.execute(() -> fill(key));
    } catch (RejectedExecutionException e) {
      waiting.remove(key); // too many wait: it will be read again
    }
  }

  /**
   * Gives a partition a slot that had one before the node ended.
   *
   * @return whether it waits for its fill; else too many wait
   */
  boolean warm(ByteBuffer partition) {
    DecoratedKey key = store.decorateKey(partition);
    writer.noteRead(arenaKey(key));
    try {
      fills.execute(() -> fill(key));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void fill(DecoratedKey key) {
    isFilling.set(true);
    try {
      ArenaKey arenaKey = arenaKey(key);
      long ticket = writer.ticket(arenaKey);
      if (row.read(key) instanceof Committed read) {
        writer.fill(arenaKey, key.getToken().getLongValue(), read.version(), ticket);
      } else {
        writer.noteUnfit(arenaKey, ticket);
      }
    } catch (RuntimeException e) {
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.MINUTES,
          "Reading a row of {} for its arena failed; it has no slot",
          table(),
          e);
    } finally {
      isFilling.set(false);
      waiting.remove(key);
    }
  }

  @Override
  public void onFailure(Throwable thrown) {
    hasFailed = true;
    writer.end(); // before anybody is told of the write that it did not hear
    logger.error(
        "The arena of {} is given up, since it does not know what was written, and made anew in a"
            + " minute",
        table(),
        thrown);
  }

  // ---- what is not written row by row

  @Override
  public void handleNotification(INotification notification, Object sender) {
    try {
      if (notification instanceof TruncationNotification truncation) {
        beginTruncation(truncation.truncatedAt);
      } else if (notification instanceof SSTableAddedNotification added
          && added.memtable().isEmpty()) {
        added.added.forEach(this::evictRowsOf);
      }
    } catch (RuntimeException | Error e) {
      onFailure(e);
    }
  }

  /** From now on rows go, and may still be read until all have gone. */
  private synchronized void beginTruncation(long atMillis) {
    isBeingTruncated = true;
    truncatingAt = Math.max(truncatingAt, atMillis);
    writer.takeFills(false);
    writer.clear();
  }

  /** An SSTable from elsewhere: of a stream, a repair or an import. */
  private void evictRowsOf(SSTableReader sstable) {
    long first = sstable.getFirst().getToken().getLongValue();
    long last = sstable.getLast().getToken().getLongValue();
    writer.evictTokens(token -> token >= first && token <= last);
  }

  /** Looks whether a truncation has ended: what was read meanwhile is of nobody knows when. */
  synchronized void followTruncations() {
    long now = SystemKeyspace.getTruncatedAt(store.metadata.id);
    if (now == truncatedAt) {
      return;
    }
    truncatedAt = now;
    writer.clear();
    if (now >= truncatingAt) { // else another has begun
      isBeingTruncated = false;
      writer.takeFills(true);
    }
  }

  synchronized boolean isBeingTruncated() {
    return isBeingTruncated;
  }

  /**
   * Takes out what this node is no replica of, if that may have changed: nobody reads meanwhile,
   * nor before the next beat. For one thread.
   */
  void followRing(long ringVersion) {
    AbstractReplicationStrategy strategy = store.keyspace.getReplicationStrategy();
    if (ringVersion == fittedRingVersion && strategy == fittedStrategy) {
      return;
    }
    writer.rest();
    Set<Range<Token>> own =
        StorageService.instance.getLocalReplicas(store.keyspace.getName()).ranges();
    writer.own(
        token -> {
          Token place = new Murmur3Partitioner.LongToken(token);
          return own.stream().anyMatch(range -> range.contains(place));
        });
    fittedRingVersion = ringVersion;
    fittedStrategy = strategy;
  }

  @Override
  public void close() {
    KasaneStorageHook.unfollow(store.metadata.id, this);
    store.getTracker().unsubscribe(this);
    try {
      writer.close();
    } catch (IOException e) {
      logger.warn("Cannot take away the arena of {}: {}", table(), e.toString());
    }
  }
}
