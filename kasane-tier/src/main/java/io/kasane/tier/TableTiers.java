/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.heat.HeatPolicy;
import io.kasane.heat.HeatSnapshot;
import io.kasane.heat.HeatTracker;
import io.kasane.heat.HotSet;
import io.kasane.heat.Temperature;
import io.kasane.host.KasaneStorageHook;
import io.kasane.host.TableMetrics;
import io.kasane.host.TableObserver;
import io.kasane.tier.promote.RedundancyLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything Kasane knows of one table on this node: its heat, its place on the fast disk, its
 * statistics. Shared by the strategy instances that Cassandra makes for the table (repaired,
 * unrepaired, pending). Thread-safe.
 */
final class TableTiers implements TableObserver, INotificationConsumer {
  private static final Logger logger = LoggerFactory.getLogger(TableTiers.class);

  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int REFRESH_PAUSE = 50;
  private static final double NEARLY_FULL = 0.95;
  private static final long DEFAULT_ROW_BYTES = 1024;
  private static final int MOST_MOMENTS = 240;

  private final ColumnFamilyStore cfs;
  private final FastTier fast;
  private final FastBudget budget;
  private final FastRoom room = new FastRoom(this);
  private final Admission admission = new Admission(this);
  private final NodeHeat nodeHeat;
  private volatile FastShards shards;
  private final ReadStats readStats = new ReadStats();
  private final HotKeyNames names = new HotKeyNames();
  private final RunningTasks tasks = new RunningTasks();
  private final GarbageCollections garbageCollections;
  private final DiscardedMemtables discarded;
  private final History<TableReport.Moment> history = new History<>(MOST_MOMENTS);
  private final Promoter promoter;
  private final FastCopies copies;
  private final TableMetrics metrics;
  private final MoveStats moves;
  private volatile TierOptions options;
  private volatile HeatTracker tracker;
  private volatile HeatPolicy policy;
  private volatile HotSet hotSet = HotSet.unknown();
  private volatile boolean copiesRows;
  private volatile boolean warm;
  private final RewritePace rewrites = new RewritePace(() -> options().tracker().periodMillis());
  private final PurgePace purges = new PurgePace(System::nanoTime);
  private volatile long nextRefreshNanos = System.nanoTime();
  private SavedHeat savedHeat;
  private long savedAtMillis;

  TableTiers(
      ColumnFamilyStore cfs,
      FastTier fast,
      FastBudget budget,
      NodeHeat nodeHeat,
      TierOptions options) {
    this.cfs = cfs;
    this.fast = fast;
    this.budget = budget;
    this.nodeHeat = nodeHeat;
    this.metrics = new TableMetrics(cfs.metadata());
    this.moves = new MoveStats(metrics);
    this.garbageCollections = new GarbageCollections(cfs);
    this.discarded = new DiscardedMemtables(cfs.getTracker());
    this.promoter = new Promoter(this, () -> nodeHeat.leftOut().bytesFor(this), copiesLog());
    nodeHeat.leftOut().add(this, promoter::leftOutBytes);
    this.copies = new FastCopies(cfs, fast, tasks, promoter::copies, promoter::sourcesOf);
    apply(options);
    TableGauges.register(metrics, this);
    cfs.getTracker().subscribe(this);
    KasaneStorageHook.observe(cfs.metadata.id, this);
  }

  /** Takes over options that ALTER TABLE or JMX has changed. */
  synchronized void apply(TierOptions changed) {
    if (changed.equals(options)) {
      return;
    }
    fast.setTableLimit(changed.fastQuotaBytes());
    changed.trouble().ifPresent(this::logTrouble);
    if (options == null || options.tracker().periodMillis() != changed.tracker().periodMillis()) {
      if (savedHeat != null) {
        saveHeat();
        savedHeat.close();
        nodeHeat.memory().forget(tracker);
      }
      HeatTracker fresh =
          nodeHeat
              .memory()
              .track(changed.tracker(), System::currentTimeMillis, cfs.metadata.id.hashCode());
      savedHeat = new SavedHeat(qualifiedName(), nodeHeat.directory(), logName());
      savedHeat.restoreInto(fresh);
      tracker = fresh;
    } else {
      nodeHeat.memory().wish(tracker, changed.tracker().capacityKeys());
    }
    closeList();
    policy = makePolicy(changed);
    options = changed;
    shards = new FastShards(cfs.getPartitioner(), fastLimitBytes());
    refreshHotSet();
  }

  private HeatPolicy makePolicy(TierOptions changed) {
    return changed.makePolicy(
        this::hotBudgetBytes,
        this::rowBytes,
        name -> nodeHeat.lists().open(qualifiedName(), name, cfs.getPartitioner()),
        () ->
            new MeasuredShare.Waits(cfs.metric.memtableSwitchCount.getCount(), readStats.waits()));
  }

  private void closeList() {
    if (policy instanceof KeyLists.Listed listed) {
      listed.close();
    }
  }

  private void logTrouble(String trouble) {
    logger.error(
        "{}: {}. Until ALTER TABLE corrects that, its rows stay where they are.",
        qualifiedName(),
        trouble);
  }

  private String qualifiedName() {
    return cfs.getKeyspaceName() + "." + cfs.getTableName();
  }

  /** The mean row of the largest SSTable: small ones may hold mere updates of rows. */
  long rowBytes() {
    return largest()
        .map(s -> Math.max(1, s.bytesOnDisk() / Math.max(1, s.estimatedKeys())))
        .orElse(DEFAULT_ROW_BYTES);
  }

  private Optional<SSTableReader> largest() {
    return cfs.getLiveSSTables().stream().max(Comparator.comparingLong(SSTableReader::bytesOnDisk));
  }

  private Path copiesLog() {
    return nodeHeat.directory().resolve(logName() + ".copies");
  }

  private String logName() {
    TableMetadata metadata = cfs.metadata();
    return metadata.keyspace + "." + metadata.name + "-" + metadata.id.toHexString();
  }

  // Access paths: Cassandra's read and write threads.

  @Override
  public void onRead(DecoratedKey key) {
    readStats.reads.increment();
    if (options.counts() != TierOptions.Counts.WRITES) {
      record(key);
    }
    if (copiesRows) {
      ReadScope.reported(this, key);
    }
  }

  @Override
  public void onWrite(DecoratedKey key) {
    if (options.counts() != TierOptions.Counts.READS) {
      record(key);
    }
  }

  private void record(DecoratedKey key) {
    long id = KeyIds.of(key);
    tracker.record(id);
    names.sample(id, key.getKey());
  }

  @Override
  public SSTableReadsListener onSSTableRead(
      SSTableReader sstable, DecoratedKey key, SSTableReadsListener listener) {
    return ReadScope.of(this, key, listener);
  }

  @Override
  public boolean isRedundant(SSTableReader sstable, DecoratedKey key) {
    return copiesRows && promoter.isRedundant(sstable.descriptor, key);
  }

  @Override
  public void onLookUp(SSTableReader sstable, DecoratedKey key, long nanos) {
    boolean hasWaited = ReadStats.isWait(nanos);
    if (hasWaited) {
      readStats.waited(sstable.descriptor);
    }
    ReadScope.lookedUp(this, sstable, key, hasWaited);
  }

  boolean isHot(DecoratedKey key) {
    return hotSet.temperatureOf(KeyIds.of(key)) == Temperature.HOT;
  }

  /** Whether heat has seen enough to know a row that is read, and does not know this one. */
  boolean isForgotten(long keyId) {
    return warm && tracker.heatOf(keyId) == 0;
  }

  /** Whether nothing is known of what is hot or cold. */
  boolean rowsStay() {
    return hotSet.equals(HotSet.unknown());
  }

  boolean copiesRows() {
    return copiesRows;
  }

  /** Whether the slow disk is to be complete. */
  boolean isCache() {
    return options.mode() == TierOptions.Mode.CACHE;
  }

  /** A read that looked into slow SSTables is over, so that its blocks are in memory. */
  void wantOnFast(DecoratedKey key) {
    if (admission.wants(key)) {
      promoter.offer(key);
    }
  }

  // Maintenance: one thread.

  /** Called about once a second. */
  void maintain(long nowMillis) {
    tracker.advance();
    if (policy instanceof KeyLists.Listed listed) {
      listed.retry();
    }
    long fastBytes = liveBytes(Tier.FAST);
    admission.observe(fastBytes, liveBytes(Tier.SLOW));
    history.add(
        new TableReport.Moment(
            nowMillis,
            readStats.memoryReads(),
            readStats.fastReads.sum(),
            readStats.slowReads.sum(),
            fastBytes,
            moves.promotedRows.getCount(),
            moves.demotedRows.getCount()));
    if (nowMillis - savedAtMillis >= options.tracker().periodMillis()) {
      savedAtMillis = nowMillis;
      Set<Descriptor> live =
          cfs.getLiveSSTables().stream()
              .map(sstable -> sstable.descriptor)
              .collect(Collectors.toSet());
      readStats.retain(live);
      readStats.setLargest(largest().map(sstable -> sstable.descriptor).orElse(null));
      promoter.retain(live);
      shards = new FastShards(cfs.getPartitioner(), fastLimitBytes());
      saveHeat();
    }
    if (System.nanoTime() - nextRefreshNanos >= 0) {
      refreshHotSet();
    }
  }

  /** Called many times a second, by the thread that reads rows to be copied. */
  void stage() {
    if (copiesRows) {
      promoter.stage();
    }
  }

  /** Called several times a second, by the thread that writes them to fast. */
  void promote() {
    room.lookForMore();
    discarded.tell();
    promoter.restore();
    boolean wasOn = copiesRows;
    copiesRows = promoter.isOn();
    if (copiesRows) {
      promoter.copy();
    } else if (wasOn) {
      promoter.pause();
    }
  }

  /** A flush wrote all of a memtable to fast, so that it left no SSTable of its own. */
  void leftNoSSTable(Memtable flushed) {
    discarded.add(flushed);
  }

  /** Asks the policy anew; returns the answer. */
  HotSet refreshHotSet() {
    long began = System.nanoTime();
    HeatSnapshot heat = tracker.snapshot();
    HotSet fresh = policy.select(heat);
    hotSet = fresh;
    warm = heat.warm() && !rowsStay();
    double fullBytes = NEARLY_FULL * hotBudgetBytes();
    admission.setRoomForUnknown(fresh.hotBytes() < fullBytes && liveBytes(Tier.FAST) < fullBytes);
    long now = System.nanoTime();
    nextRefreshNanos = now + Math.max(REFRESH_NANOS, REFRESH_PAUSE * (now - began));
    return fresh;
  }

  synchronized void saveHeat() {
    if (savedHeat != null) {
      savedHeat.save(tracker);
    }
  }

  /** Stops observing: the table uses another strategy now or is gone. */
  synchronized void detach(boolean dropped) {
    KasaneStorageHook.unobserve(cfs.metadata.id, this);
    cfs.getTracker().unsubscribe(this);
    metrics.close();
    promoter.close();
    nodeHeat.leftOut().remove(this);
    closeList();
    nodeHeat.memory().forget(tracker);
    if (savedHeat == null) {
      return;
    }
    if (dropped) {
      savedHeat.delete();
      deleteCopiesLog();
    } else {
      saveHeat();
    }
    savedHeat.close();
    savedHeat = null;
  }

  private void deleteCopiesLog() {
    try {
      RedundancyLog.delete(copiesLog());
    } catch (IOException e) {
      logger.warn("Could not delete what is known of copies of {}: {}", cfs, e.getMessage());
    }
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof TruncationNotification) {
      tracker.clear();
      hotSet = HotSet.unknown();
    } else if (notification instanceof SSTableAddedNotification live
        && live.memtable().isPresent()) {
      if (isCache() && copiesRows) {
        live.added.forEach(flushed -> promoter.flushed(flushed.descriptor));
      }
    }
  }

  // Facts for the writers, the strategy and the views.

  /** Whether flush and compaction split their rows by heat. */
  boolean sortsRows() {
    return fast.exists() || options.sortsWithoutFastDisk();
  }

  ColumnFamilyStore cfs() {
    return cfs;
  }

  FastTier fast() {
    return fast;
  }

  FastShards shards() {
    return shards;
  }

  TierOptions options() {
    return options;
  }

  HeatTracker tracker() {
    return tracker;
  }

  HeatSnapshot heat() {
    return tracker.snapshot();
  }

  NodeHeat nodeHeat() {
    return nodeHeat;
  }

  HotSet hotSet() {
    return hotSet;
  }

  ReadStats readStats() {
    return readStats;
  }

  MoveStats moves() {
    return moves;
  }

  FastCopies copies() {
    return copies;
  }

  Promoter promoter() {
    return promoter;
  }

  History<TableReport.Moment> history() {
    return history;
  }

  RunningTasks tasks() {
    return tasks;
  }

  GarbageCollections garbageCollections() {
    return garbageCollections;
  }

  HotKeyNames names() {
    return names;
  }

  /** Bytes of the table's limit on the fast disk now. */
  long fastLimitBytes() {
    OptionalLong own = fast.tableLimitBytes();
    long shared = budget.bytesFor(this);
    return own.isPresent() ? Math.min(own.getAsLong(), shared) : shared;
  }

  /** The share of its limit on the fast disk that hot rows may fill. */
  double fastFill() {
    return options.fastFill().orElse(shards.fill());
  }

  private long hotBudgetBytes() {
    return (long) (fastFill() * budget.bytesFor(this));
  }

  FastRoom room() {
    return room;
  }

  Admission admission() {
    return admission;
  }

  RewritePace rewrites() {
    return rewrites;
  }

  PurgePace purges() {
    return purges;
  }

  long slowRoomBytes() {
    return cfs.getDirectories().getWriteableLocations()[0].getAvailableSpace();
  }

  long liveBytes(Tier tier) {
    return cfs.getLiveSSTables().stream()
        .filter(s -> tierOf(s.descriptor) == tier)
        .mapToLong(SSTableReader::bytesOnDisk)
        .sum();
  }

  Tier tierOf(Descriptor sstable) {
    return fast.tierOf(sstable);
  }

  @Override
  public String toString() {
    return cfs.toString();
  }
}
