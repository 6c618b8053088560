/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import com.google.common.collect.ImmutableSet;
import io.kasane.host.KasaneStorageHook;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.sstables.SSTableTemperature;
import io.kasane.tier.table.AwaitingTask;
import io.kasane.tier.table.ExpiredTask;
import io.kasane.tier.table.Picks;
import io.kasane.tier.table.TierTask;
import io.kasane.tier.table.TieredTable;
import io.kasane.tier.write.SplitFlushWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.AbstractCompactionStrategy;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleNewTracker;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.schema.CompactionParams;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.TimeUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps hot rows on the fast disk and cold rows on the slow one, at flush and at compaction, and
 * picks what to compact by where SSTables lie and how often they are read. Set it with ALTER TABLE;
 * the options are those of {@link TierOptions} and of every stock strategy.
 *
 * <p>Source: the system TIER (Kamoshita, Kawashima, Matsuo, 2016), section 3. On a node without a
 * fast disk rows are split by heat into SSTables that are compacted sooner or later (COMPACT:
 * Kawanami, Kawashima, Matsuo), unless the policy is {@code budget}; without Kasane's storage hook
 * it is a size-tiered strategy.
 *
 * <p>Thread rules are Cassandra's: methods that touch the set of SSTables synchronize on this.
 */
public final class HeatTieredCompactionStrategy extends AbstractCompactionStrategy {
  private static final Logger logger = LoggerFactory.getLogger(HeatTieredCompactionStrategy.class);

  private final Set<SSTableReader> sstables = new HashSet<>();
  private final Optional<TieredTable> table;
  private final Picks picks;
  private volatile int estimatedTasks;

  /** Called by Cassandra for each table that uses the strategy. */
  public HeatTieredCompactionStrategy(ColumnFamilyStore cfs, Map<String, String> options) {
    super(cfs, options);
    // A node must boot with whatever the schema holds; bad options were refused at ALTER TABLE.
    TierOptions parsed = TierOptions.parseOrStay(options);
    this.table = TierRegistry.attach(cfs, parsed);
    if (table.isEmpty() && !cfs.isIndex() && !KasaneStorageHook.isInstalled()) {
      logger.warn(
          "{}.{} uses {} but this node runs without Kasane's storage hook: the table is compacted"
              + " by size alone. Add -Dcassandra.storage_hook={} to jvm-server.options.",
          cfs.getKeyspaceName(),
          cfs.getTableName(),
          getName(),
          KasaneStorageHook.class.getName());
    }
    this.picks =
        new Picks(cfs, table, parsed.picker(), tombstoneThreshold, tombstoneCompactionInterval);
  }

  /**
   * Called by Cassandra at CREATE and ALTER TABLE.
   *
   * @return the options that nobody knows
   * @throws ConfigurationException for a bad value, or on a node without the storage hook
   */
  public static Map<String, String> validateOptions(Map<String, String> options)
      throws ConfigurationException {
    TierOptions.check(options);
    if (!isQuestionOfThresholds(options) && !KasaneStorageHook.isInstalled()) {
      throw new ConfigurationException(
          HeatTieredCompactionStrategy.class.getSimpleName()
              + " needs Kasane's storage hook: add -Dcassandra.storage_hook="
              + KasaneStorageHook.class.getName()
              + " to jvm-server.options of every node and restart it");
    }
    return TierOptions.withoutOurs(AbstractCompactionStrategy.validateOptions(options));
  }

  /**
   * Cassandra also asks whether a strategy knows thresholds at all, with this very map, while it
   * loads the schema: a refusal there would keep the node from booting.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isQuestionOfThresholds(Map<String, String> options) {
    return options == CompactionParams.DEFAULT_THRESHOLDS;
  }

  private boolean hasFastTier() {
    return table.isPresent() && table.get().fast().exists();
  }

  /** A fast disk that fails must not fail the flush: hot rows are copied afterwards. */
  private boolean writesAllToSlow() {
    return table.isPresent() && table.get().isCache() && hasFastTier();
  }

  /** Whether flush and compaction split their rows by heat. */
  private boolean sortsRows() {
    return table.isPresent() && table.get().sortsRows();
  }

  // What to compact.

  @Override
  public AbstractCompactionTask getNextBackgroundTask(long gcBefore) {
    Pick<SSTableReader> previous = null;
    while (true) {
      Optional<Pick<SSTableReader>> next = nextPick(gcBefore);
      if (next.isEmpty()) {
        return null;
      }
      Pick<SSTableReader> pick = next.get();
      LifecycleTransaction txn =
          cfs.getTracker().tryModify(pick.tables(), OperationType.COMPACTION);
      if (txn != null) {
        return task(txn, gcBefore, pick.kind());
      }
      if (pick.equals(previous)) {
        logger.debug("Could not mark {} as compacting; will retry later", pick.tables());
        return null;
      }
      previous = pick;
    }
  }

  private synchronized Optional<Pick<SSTableReader>> nextPick(long gcBefore) {
    Picks.Next next = picks.next(sstables, gcBefore, s -> worthDroppingTombstones(s, gcBefore));
    estimatedTasks = next.pendingTasks();
    cfs.getCompactionStrategyManager().compactionLogger.pending(this, estimatedTasks);
    return next.pick();
  }

  private synchronized boolean isPurgeDue(long gcBefore) {
    return picks.isPurgeDue(sstables, gcBefore);
  }

  private synchronized boolean isMergeDue() {
    return picks.isMergeDue(sstables);
  }

  /** Whether reads have looked into slow SSTables for more than merging them costs. */
  static boolean hasMergeDue(TieredTable table) {
    return instancesOf(table.cfs()).anyMatch(HeatTieredCompactionStrategy::isMergeDue);
  }

  private static Stream<HeatTieredCompactionStrategy> instancesOf(ColumnFamilyStore cfs) {
    // None while Cassandra is still constructing the table.
    return Stream.ofNullable(cfs.getCompactionStrategyManager())
        .flatMap(manager -> manager.getStrategies().stream())
        .flatMap(Collection::stream)
        .filter(HeatTieredCompactionStrategy.class::isInstance)
        .map(HeatTieredCompactionStrategy.class::cast);
  }

  /**
   * Asks for a compaction where tombstones on fast can be purged: they grow old without a write.
   * Looks once a heat period.
   */
  static void purgeIfDue(TieredTable table) {
    long periodNanos = TimeUnit.MILLISECONDS.toNanos(table.options().tracker().periodMillis());
    table.purges().lookEvery(periodNanos, () -> lookForPurge(table.cfs()));
  }

  private static void lookForPurge(ColumnFamilyStore cfs) {
    long gcBefore = CompactionManager.getDefaultGcBefore(cfs, FBUtilities.nowInSeconds());
    if (instancesOf(cfs).anyMatch(own -> own.isPurgeDue(gcBefore))) {
      CompactionManager.instance.submitBackground(cfs);
    }
  }

  @Override
  public synchronized Collection<AbstractCompactionTask> getMaximalTask(
      long gcBefore, boolean splitOutput) {
    List<AbstractCompactionTask> tasks = new ArrayList<>();
    for (List<SSTableReader> group : picks.mergedByRequest(filterSuspectSSTables(sstables))) {
      LifecycleTransaction txn = cfs.getTracker().tryModify(group, OperationType.COMPACTION);
      if (txn != null) {
        tasks.add(task(txn, gcBefore, Pick.Kind.REQUESTED));
      }
    }
    return tasks.isEmpty() ? null : tasks;
  }

  /** Windows of time are repaired apart, too. */
  @Override
  public Collection<Collection<SSTableReader>> groupSSTablesForAntiCompaction(
      Collection<SSTableReader> toGroup) {
    return picks.hasWindows()
        ? toGroup.stream().<Collection<SSTableReader>>map(Set::of).toList()
        : super.groupSSTablesForAntiCompaction(toGroup);
  }

  @Override
  public AbstractCompactionTask getUserDefinedTask(
      Collection<SSTableReader> wanted, long gcBefore) {
    LifecycleTransaction txn = cfs.getTracker().tryModify(wanted, OperationType.COMPACTION);
    return txn == null
        ? new AwaitingTask(cfs, List.copyOf(wanted), later -> requested(later, gcBefore))
        : requested(txn, gcBefore);
  }

  private AbstractCompactionTask requested(LifecycleTransaction txn, long gcBefore) {
    return task(txn, gcBefore, Pick.Kind.REQUESTED).setUserDefined(true);
  }

  @Override
  public AbstractCompactionTask getCompactionTask(
      LifecycleTransaction txn, long gcBefore, long maxSSTableBytes) {
    return task(txn, gcBefore, Pick.Kind.REQUESTED);
  }

  private CompactionTask task(LifecycleTransaction txn, long gcBefore, Pick.Kind kind) {
    if (sortsRows()) {
      return new TierTask(table.get(), txn, gcBefore, kind);
    }
    return kind == Pick.Kind.EXPIRED
        ? new ExpiredTask(cfs, txn, gcBefore)
        : new CompactionTask(cfs, txn, gcBefore);
  }

  @Override
  public int getEstimatedRemainingTasks() {
    return estimatedTasks;
  }

  @Override
  public long getMaxSSTableBytes() {
    return Long.MAX_VALUE;
  }

  // Where flushed rows go.

  @Override
  public SSTableMultiWriter createSSTableMultiWriter(
      Descriptor descriptor,
      long keyCount,
      long repairedAt,
      TimeUUID pendingRepair,
      boolean isTransient,
      IntervalSet<CommitLogPosition> commitLogPositions,
      int sstableLevel,
      SerializationHeader header,
      Collection<Index.Group> indexGroups,
      LifecycleNewTracker tracker) {
    // Streaming writes ranges of a memtable, too, for which one file must come out.
    Optional<Memtable> flushed =
        sortsRows() && !writesAllToSlow() ? memtableFlushedBy(tracker) : Optional.empty();
    if (flushed.isEmpty()) {
      return super.createSSTableMultiWriter(
          descriptor,
          keyCount,
          repairedAt,
          pendingRepair,
          isTransient,
          commitLogPositions,
          sstableLevel,
          header,
          indexGroups,
          tracker);
    }
    return new SplitFlushWriter(
        table.get(),
        flushed.get(),
        header,
        descriptor,
        keyCount,
        (file, keys, target) -> {
          MetadataCollector collector =
              new MetadataCollector(cfs.metadata().comparator)
                  .commitLogIntervals(
                      commitLogPositions == null ? IntervalSet.empty() : commitLogPositions)
                  .sstableLevel(SSTableTemperature.levelOf(target));
          return file.getFormat()
              .getWriterFactory()
              .builder(file)
              .setKeyCount(keys)
              .setRepairedAt(repairedAt)
              .setPendingRepair(pendingRepair)
              .setTransientSSTable(isTransient)
              .setTableMetadataRef(cfs.metadata)
              .setMetadataCollector(collector)
              .setSerializationHeader(header)
              .addDefaultComponents(indexGroups)
              .setSecondaryIndexGroups(indexGroups)
              .build(tracker, cfs);
        },
        tracker::untrackNew);
  }

  @SuppressWarnings("ReferenceEquality")
  private Optional<Memtable> memtableFlushedBy(LifecycleNewTracker tracker) {
    return cfs.getTracker().getView().flushingMemtables.stream()
        .filter(memtable -> memtable.getFlushTransaction() == tracker)
        .findFirst();
  }

  /** See {@code GarbageCollectCompactions}. */
  @Override
  public ScannerList getScanners(
      Collection<SSTableReader> toScan, Collection<Range<Token>> ranges) {
    ScannerList scanners = super.getScanners(toScan, ranges);
    if (!hasFastTier()) {
      return scanners;
    }
    TieredTable tiers = table.get();
    Optional<RunningTasks.Entry> ours = tiers.tasks().ofThisThread();
    return new ScannerList(
        ours.isPresent()
            ? ours.get().rows().follow(scanners.scanners)
            : tiers.copies().garbageCollections().watched(toScan, scanners.scanners));
  }

  /** An output opened early would hide rows whose new copy goes to the other tier. */
  @Override
  public boolean supportsEarlyOpen() {
    return !sortsRows();
  }

  // The SSTables that Cassandra entrusts to this instance.

  @Override
  public synchronized void addSSTable(SSTableReader added) {
    sstables.add(added);
  }

  @Override
  public synchronized void removeSSTable(SSTableReader sstable) {
    sstables.remove(sstable);
  }

  @Override
  protected synchronized Set<SSTableReader> getSSTables() {
    return ImmutableSet.copyOf(sstables);
  }
}
