/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.TableCopies;
import io.kasane.copies.control.ProcessorLoad;
import io.kasane.copies.promote.Promoter;
import io.kasane.copies.skipindex.FastCopies;
import io.kasane.copies.skipindex.SkippableRows;
import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.host.KasaneStorageHook;
import io.kasane.host.view.TableMetrics;
import io.kasane.tier.admission.Admission;
import io.kasane.tier.admission.PromotionContext;
import io.kasane.tier.admission.TierCopyContext;
import io.kasane.tier.control.AutoHeatShare;
import io.kasane.tier.control.PurgePace;
import io.kasane.tier.control.RewritePace;
import io.kasane.tier.hot.Policies;
import io.kasane.tier.hot.TableHeat;
import io.kasane.tier.options.BaselinePolicyProvider;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.pick.SlowTierSlots;
import io.kasane.tier.quota.FastCapacity;
import io.kasane.tier.quota.FastTier;
import io.kasane.tier.quota.QuotaShares;
import io.kasane.tier.stats.History;
import io.kasane.tier.stats.MoveStats;
import io.kasane.tier.stats.ReadStats;
import io.kasane.tier.stats.TableSample;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything Kasane knows of one table on this node: its heat, its place on the fast disk, its
 * statistics. Shared by the strategy instances that Cassandra makes for the table (repaired,
 * unrepaired, pending). Thread-safe.
 */
public final class TieredTable implements PromotionContext {
  private static final Logger logger = LoggerFactory.getLogger(TieredTable.class);

  /** Hot rows come and go: with less than a twentieth left there is no room for unknown ones. */
  private static final double NEARLY_FULL = 0.95;

  /** As many as a chart shows; then each second one goes. */
  private static final int MAX_MOMENTS = 240;

  private final ColumnFamilyStore cfs;
  private final NodeHeat nodeHeat;
  private final TableDisks disks;
  private final FastTier fast;
  private final QuotaShares budget;
  private final QuotaShares.Sharer share;
  private final FastCapacity room;
  private final TableHeat heat;
  private final ReadStats readStats;
  private final TableMetrics metrics;
  private final MoveStats moves;
  private final RunningTasks tasks;
  private final RewritePace rewrites =
      new RewritePace(() -> options().tracker().periodMillis(), System::nanoTime);
  private final PurgePace purges = new PurgePace(System::nanoTime);
  private final TableCopies copies;
  private final Admission admission;
  private final Promoter promoter;
  private final AccessObserver accesses;
  private final TableEvents events;
  private final RowAges ages;
  private final Map<Descriptor, Long> purgedBefore = new ConcurrentHashMap<>();
  private final TableMaintenance maintenance = new TableMaintenance(this);
  private final History<TableSample> history = new History<>(MAX_MOMENTS);
  private volatile TierOptions options;
  private volatile boolean copiesRows;

  public TieredTable(
      ColumnFamilyStore cfs,
      TableDisks disks,
      FastTier fast,
      QuotaShares budget,
      NodeHeat nodeHeat,
      SlowTierSlots slots,
      KeyCacheSweep<?, Descriptor> stalePositions,
      ProcessorLoad processors,
      TierOptions options) {
    this.cfs = cfs;
    this.tasks = new RunningTasks(slots);
    this.nodeHeat = nodeHeat;
    this.disks = disks;
    this.fast = fast;
    this.budget = budget;
    this.heat =
        new TableHeat(cfs, nodeHeat.directory(), logName(), nodeHeat.memory(), this::makePolicy);
    this.share = new TableQuotaShare(fast, heat);
    this.room = new FastCapacity(cfs, disks, fast, () -> budget.bytesFor(share), this::isCache);
    this.readStats = new ReadStats(disks, heat::isHot, () -> !copiesRows);
    this.metrics = new TableMetrics(cfs.metadata());
    this.moves = new MoveStats(metrics);
    this.copies =
        new TableCopies(
            cfs,
            disks,
            nodeHeat.skippable(),
            nodeHeat.directory().resolve(logName() + ".copies"),
            marked -> tasks.hold(Set.of(marked)));
    this.ages = new RowAges(cfs, disks, () -> options().picker().windows());
    this.admission = new Admission(this);
    this.promoter = new Promoter(new TierCopyContext(this, admission), processors);
    this.accesses = new AccessObserver(this, admission, promoter);
    this.events = new TableEvents(this, promoter, stalePositions);
    apply(options);
    TableGauges.register(metrics, this);
    cfs.getTracker().subscribe(events);
    KasaneStorageHook.observe(cfs.metadata.id, accesses);
  }

  /** Takes over options that ALTER TABLE or JMX has changed. */
  public synchronized void apply(TierOptions changed) {
    if (changed.equals(options)) {
      return;
    }
    fast.setTableLimit(changed.fastQuotaBytes());
    changed
        .trouble()
        .ifPresent(
            trouble ->
                logger.error(
                    "{}: {}. Until ALTER TABLE corrects that, its rows stay where they are.",
                    this,
                    trouble));
    TierOptions before = options;
    options = changed;
    heat.apply(before, changed);
    room.resize();
    refreshHotSet();
  }

  private HeatPolicy makePolicy(TierOptions changed) {
    return Policies.make(
        changed,
        this::hotBudgetBytes,
        disks::rowBytes,
        chosen ->
            chosen.make(
                new BaselinePolicyProvider.Surroundings(
                    toString(), cfs.getPartitioner(), nodeHeat.keyLists(), nodeHeat.memory())),
        () ->
            new AutoHeatShare.Waits(cfs.metric.memtableSwitchCount.getCount(), readStats.waits()));
  }

  private String logName() {
    TableMetadata metadata = cfs.metadata();
    return metadata.keyspace + "." + metadata.name + "-" + metadata.id.toHexString();
  }

  @Override
  public boolean copiesRows() {
    return copiesRows;
  }

  /** Whether the slow disk is to be complete. */
  @Override
  public boolean isCache() {
    return options.mode() == TierOptions.Mode.CACHE;
  }

  // Maintenance: one thread.

  /** Called about once a second. */
  public void maintain(long nowMillis) {
    maintenance.step(nowMillis);
  }

  /** Called many times a second, by the thread that reads rows to be copied. */
  public void stage() {
    if (copiesRows) {
      promoter.stage();
    }
  }

  /** Called several times a second, by the thread that writes them to fast. */
  public void promote() {
    room.lookForMore();
    copies.skippable().restore();
    boolean wasOn = copiesRows;
    copiesRows = admission.mayCopyNow();
    if (copiesRows) {
      promoter.copy();
    } else if (wasOn) {
      promoter.pause();
    }
  }

  /** Asks the policy anew; returns the answer. */
  @Override
  public HotSet refreshHotSet() {
    HotSet fresh = heat.refresh();
    lookForRoom(fresh);
    return fresh;
  }

  void lookForRoom(HotSet hot) {
    double fullBytes = NEARLY_FULL * hotBudgetBytes();
    admission.setRoomForUnknown(
        hot.hotBytes() < fullBytes && disks.liveBytes(Tier.FAST) < fullBytes);
  }

  @Override
  public HotSet recentHotSet() {
    return heat.isAnswerYoung() ? heat.hotSet() : refreshHotSet();
  }

  /** Stops observing: the table uses another strategy now or is gone. */
  public synchronized void detach(boolean dropped) {
    KasaneStorageHook.unobserve(cfs.metadata.id, accesses);
    cfs.getTracker().unsubscribe(events);
    metrics.close();
    promoter.close();
    copies.close();
    if (heat.close(dropped) && dropped) {
      copies.skippable().delete();
    }
  }

  /**
   * Takes note of copies that were written without what was dead.
   *
   * @param gcBefore seconds since 1970: what died before it was taken into account
   */
  void purged(Collection<SSTableReader> copies, long gcBefore) {
    purgedBefore.keySet().retainAll(Descriptors.of(cfs.getLiveSSTables()));
    copies.forEach(copy -> purgedBefore.put(copy.descriptor, gcBefore));
  }

  /** See {@link #purged}; the earliest moment of other copies. */
  long purgedBefore(Descriptor copy) {
    return purgedBefore.getOrDefault(copy, Long.MIN_VALUE);
  }

  // Facts for the writers, the strategy and the views.

  /** Whether flush and compaction split their rows by heat. */
  public boolean sortsRows() {
    return fast.exists() || options.sortsWithoutFastDisk();
  }

  @Override
  public ColumnFamilyStore cfs() {
    return cfs;
  }

  public QuotaShares.Sharer share() {
    return share;
  }

  @Override
  public FastTier fast() {
    return fast;
  }

  @Override
  public TableDisks disks() {
    return disks;
  }

  @Override
  public SkippableRows skippable() {
    return copies.skippable();
  }

  @Override
  public TierOptions options() {
    return options;
  }

  @Override
  public TableHeat heat() {
    return heat;
  }

  public NodeHeat nodeHeat() {
    return nodeHeat;
  }

  @Override
  public ReadStats readStats() {
    return readStats;
  }

  @Override
  public MoveStats moves() {
    return moves;
  }

  @Override
  public FastCopies copies() {
    return copies.fast();
  }

  Promoter promoter() {
    return promoter;
  }

  public History<TableSample> history() {
    return history;
  }

  @Override
  public RunningTasks tasks() {
    return tasks;
  }

  /** The share of its limit on the fast disk that hot rows may fill. */
  public double fastFill() {
    return options.fastFill().orElse(room.fill());
  }

  long hotBudgetBytes() {
    return (long) (fastFill() * budget.bytesFor(share));
  }

  @Override
  public FastCapacity room() {
    return room;
  }

  @Override
  public boolean isTooOldForFast(DecoratedKey key) {
    return ages.isTooOldForFast(key);
  }

  @Override
  public long coldRoomBytes() {
    return admission.coldRoomBytes();
  }

  @Override
  public long allRowsRoomBytes() {
    return admission.allRowsRoomBytes();
  }

  public Admission admission() {
    return admission;
  }

  public RewritePace rewrites() {
    return rewrites;
  }

  public PurgePace purges() {
    return purges;
  }

  @Override
  public String toString() {
    return cfs.getKeyspaceName() + "." + cfs.getTableName();
  }
}
