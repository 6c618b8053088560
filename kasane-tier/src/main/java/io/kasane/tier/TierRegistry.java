/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import com.sun.management.OperatingSystemMXBean;
import io.kasane.copies.control.ProcessorLoad;
import io.kasane.copies.skipindex.SkippableRowsMemory;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.heat.track.HeatMemory;
import io.kasane.host.KasaneHost;
import io.kasane.host.NodeExtension;
import io.kasane.host.fast.FastDirectories;
import io.kasane.host.view.NodeMetrics;
import io.kasane.tier.control.TimeBudget;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.SlowTierSlots;
import io.kasane.tier.quota.FastDiskHealth;
import io.kasane.tier.quota.FastQuota;
import io.kasane.tier.quota.FastTier;
import io.kasane.tier.quota.QuotaShares;
import io.kasane.tier.table.Candidates;
import io.kasane.tier.table.KeyCacheSweep;
import io.kasane.tier.table.NodeHeat;
import io.kasane.tier.table.TieredTable;
import io.kasane.tier.view.TableReport;
import io.kasane.tier.view.TierViews;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.cassandra.cache.KeyCacheKey;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.CompactionStrategyManager;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of this node that use {@link HeatTieredCompactionStrategy}, and the threads that look
 * after them. Starts with the node.
 */
public final class TierRegistry implements NodeExtension {
  private static final Logger logger = LoggerFactory.getLogger(TierRegistry.class);

  /** What it observes is a rate a second. */
  private static final long MAINTENANCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String PROMOTION_FAILED =
      "Promotion of {} failed; reads will ask for it again";
  private static volatile TierRegistry instance;

  private final Map<TableId, TieredTable> tables = new ConcurrentHashMap<>();
  private final ProcessorLoad processors = new ProcessorLoad(TierRegistry::processorLoad);
  private KasaneHost host;
  private FastQuota quota;
  private FastDiskHealth health;
  private QuotaShares budget;
  private NodeHeat heat;
  private final SlowTierSlots slots =
      new SlowTierSlots(() -> CompactionManager.instance.getMaximumCompactorThreads());
  private final KeyCacheSweep<KeyCacheKey, Descriptor> stalePositions =
      new KeyCacheSweep<>(
          () -> CacheService.instance.keyCache.size(),
          () -> CacheService.instance.keyCache.keyIterator(),
          key -> key.desc);

  /** For {@link java.util.ServiceLoader}. */
  public TierRegistry() {}

  @Override
  public void start(KasaneHost kasane) {
    host = kasane;
    List<Path> fastDirectories = kasane.fastDirectories().realPaths();
    health = new FastDiskHealth(fastDirectories, System::nanoTime, FastDiskHealth::writeProbe);
    kasane.onFastWriteError(error -> health.failed(error.path, error));
    quota =
        new FastQuota(
            fastDirectories,
            kasane.config().fastQuotaBytes(),
            System::nanoTime,
            FastDirectories::isUsable,
            health::takesWrites);
    budget =
        new QuotaShares(
            quota::limitBytes, () -> tables.values().stream().map(TieredTable::share).toList());
    HeatMemory memory =
        new HeatMemory(
            kasane.heatMemoryBytes(), kasane.leftOutMemoryBytes(), kasane.listHeapBytes());
    heat =
        new NodeHeat(
            kasane.heatDirectory(),
            memory,
            new SkippableRowsMemory(memory.leftOutBytes()),
            kasane.config().keyListsDirectory(),
            kasane::showsKeys);
    TierViews.register(() -> tables.values().stream().map(TableReport::new).toList());
    Schema.instance.registerListener(
        new SchemaChangeListener() {
          @Override
          public void onDropTable(TableMetadata table, boolean dropData) {
            forget(table.id);
          }

          @Override
          public void onDropView(ViewMetadata view, boolean dropData) {
            forget(view.metadata.id);
          }
        });
    start(
        "Maintenance",
        tables::values,
        "Maintenance of {} failed; it will be tried again",
        this::maintain,
        worked -> MAINTENANCE_NANOS);
    List<Runnable> ofNode =
        List.of(health::tryAgain, heat.memory()::share, stalePositions::forget, processors::look);
    start(
        "Node",
        () -> ofNode,
        "Could not look after what the tables share ({}); it will be tried again",
        Runnable::run,
        worked -> MAINTENANCE_NANOS);
    start(
        "Staging",
        tables::values,
        PROMOTION_FAILED,
        TieredTable::stage,
        TimeBudget::restOfCopiesNanos);
    start(
        "Promotion",
        tables::values,
        PROMOTION_FAILED,
        TierRegistry::promoteIfAttached,
        TimeBudget::restOfCopiesNanos);
    Runtime.getRuntime().addShutdownHook(new Thread(this::saveAll, "KasaneSaveHeat"));
    instance = this;
  }

  /**
   * The table's state, made on first use.
   *
   * @return nothing if the node runs without Kasane's storage hook, for an index, or if the state
   *     cannot be made: a node must boot and serve
   */
  static Optional<TieredTable> attach(ColumnFamilyStore cfs, TierOptions options) {
    TierRegistry registry = instance;
    if (registry == null || cfs.isIndex()) {
      return Optional.empty();
    }
    try {
      registry.host.guard().protect(cfs);
      TieredTable table =
          registry.tables.compute(
              cfs.metadata.id,
              (id, present) ->
                  present != null && present.cfs() == cfs
                      ? present
                      : registry.create(cfs, options));
      table.apply(options);
      return Optional.of(table);
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.error(
          "Cannot set up heat tiers for {}.{}: the table is compacted by size alone until the node"
              + " restarts or its compaction options change. Its rows on the fast disk stay"
              + " readable.",
          cfs.getKeyspaceName(),
          cfs.getTableName(),
          e);
      return Optional.empty();
    }
  }

  private void forget(TableId dropped) {
    TieredTable gone = tables.remove(dropped);
    if (gone != null) {
      gone.detach(true);
    }
  }

  private TieredTable create(ColumnFamilyStore cfs, TierOptions options) {
    FastTier fast =
        new FastTier(host.fastDirectories(), quota, health, cfs, options.fastQuotaBytes());
    return new TieredTable(
        cfs,
        new TableDisks(cfs, host.fastDirectories()),
        fast,
        budget,
        heat,
        slots,
        stalePositions,
        processors,
        options);
  }

  /** The thread {@code Kasane[name]}, and the gauge that tells that it still goes round. */
  private static <T> void start(
      String name,
      Supplier<Collection<T>> all,
      String failed,
      Consumer<T> step,
      LongUnaryOperator restNanos) {
    PeriodicWorker<T> rounds = new PeriodicWorker<>(all, step, failed, System::nanoTime);
    NodeMetrics.worker(name, rounds::ageMillis);
    rounds.startForEver("Kasane" + name, restNanos);
  }

  private void maintain(TieredTable table) {
    if (!table.cfs().isValid()) {
      return; // it is being dropped, and its heat must not be saved once more
    }
    if (!isAttached(table.cfs())) {
      tables.remove(table.cfs().metadata.id, table);
      table.detach(false);
      return;
    }
    table.maintain(System.currentTimeMillis());
    if (HeatTieredCompactionStrategy.hasMergeDue(table)
        || Candidates.hasPromotionDue(table)
        || Candidates.hasCompletionDue(table)) {
      CompactionManager.instance.submitBackground(table.cfs());
    }
    HeatTieredCompactionStrategy.purgeIfDue(table);
  }

  /** Nothing is staged before this has found that rows may be copied. */
  private static void promoteIfAttached(TieredTable table) {
    boolean isConstructed = table.cfs().getCompactionStrategyManager() != null;
    if (isConstructed && isAttached(table.cfs())) {
      table.promote();
    }
  }

  private static boolean isAttached(ColumnFamilyStore cfs) {
    CompactionStrategyManager manager = cfs.getCompactionStrategyManager();
    if (manager == null) {
      return true; // Cassandra is still constructing the table
    }
    return cfs.isValid()
        && manager.getStrategies().stream()
            .flatMap(Collection::stream)
            .anyMatch(HeatTieredCompactionStrategy.class::isInstance);
  }

  private static double processorLoad() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getCpuLoad()
        : -1;
  }

  private void saveAll() {
    String failed = "Heat of {} could not be saved";
    new PeriodicWorker<>(tables::values, table -> table.heat().saveAll(), failed, System::nanoTime)
        .run();
  }
}
