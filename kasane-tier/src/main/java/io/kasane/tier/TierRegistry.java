/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.host.FastDirectories;
import io.kasane.host.KasaneHost;
import io.kasane.host.NodeExtension;
import io.kasane.tier.view.TierViews;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.CompactionStrategyManager;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of this node that use {@link HeatTieredCompactionStrategy}, and the threads that look
 * after them. Starts with the node.
 */
public final class TierRegistry implements NodeExtension {
  private static final Logger logger = LoggerFactory.getLogger(TierRegistry.class);
  private static final long PROMOTION_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static volatile TierRegistry instance;

  private final Map<TableId, TableTiers> tables = new ConcurrentHashMap<>();
  private KasaneHost host;
  private FastQuota quota;
  private FastBudget budget;

  /** For {@link java.util.ServiceLoader}. */
  public TierRegistry() {}

  @Override
  public void start(KasaneHost kasane) {
    host = kasane;
    quota =
        new FastQuota(
            kasane.fastDirectories().realPaths(),
            kasane.config().fastQuotaBytes(),
            System::nanoTime,
            FastDirectories::isUsable);
    budget = new FastBudget(quota, tables::values);
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
    ScheduledExecutorService maintenance =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "KasaneMaintenance");
              thread.setDaemon(true);
              return thread;
            });
    var unused = maintenance.scheduleWithFixedDelay(this::maintain, 1, 1, TimeUnit.SECONDS);
    startForEver("KasaneStaging", TableTiers::stage);
    startForEver("KasanePromotion", TierRegistry::promoteIfAttached);
    Runtime.getRuntime().addShutdownHook(new Thread(this::saveAll, "KasaneSaveHeat"));
    instance = this;
  }

  /**
   * The table's state, made on first use.
   *
   * @return nothing if the node runs without Kasane's storage hook, for an index, or if the state
   *     cannot be made: a node must boot and serve
   */
  static Optional<TableTiers> attach(ColumnFamilyStore cfs, TierOptions options) {
    TierRegistry registry = instance;
    if (registry == null || cfs.isIndex()) {
      return Optional.empty();
    }
    registry.host.guard().protect(cfs);
    try {
      TableTiers table =
          registry.tables.compute(
              cfs.metadata.id,
              (id, present) ->
                  present != null && present.cfs() == cfs
                      ? present
                      : registry.create(cfs, options));
      table.apply(options);
      return Optional.of(table);
    } catch (RuntimeException e) {
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
    TableTiers gone = tables.remove(dropped);
    if (gone != null) {
      gone.detach(true);
    }
  }

  private TableTiers create(ColumnFamilyStore cfs, TierOptions options) {
    FastTier fast = new FastTier(host.fastDirectories(), quota, cfs, options.fastQuotaBytes());
    return new TableTiers(cfs, fast, budget, host.heatDirectory(), options);
  }

  private void maintain() {
    long now = System.currentTimeMillis();
    for (TableTiers table : List.copyOf(tables.values())) {
      try {
        if (!table.cfs().isValid()) {
          continue; // it is being dropped, and its heat must not be saved once more
        }
        if (!isAttached(table.cfs())) {
          tables.remove(table.cfs().metadata.id, table);
          table.detach(false);
          continue;
        }
        table.maintain(now);
        if (HeatTieredCompactionStrategy.hasPromotionDue(table)
            || HeatTieredCompactionStrategy.hasCompletionDue(table)) {
          CompactionManager.instance.submitBackground(table.cfs());
        }
      } catch (RuntimeException e) {
        logger.warn("Maintenance of {} failed; it will be tried again", table.cfs(), e);
      }
    }
  }

  private void startForEver(String name, Consumer<TableTiers> step) {
    Thread thread = new Thread(() -> stepForEver(step), name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Rests as long as it worked, a second at most: to read all the time is one more client. */
  private void stepForEver(Consumer<TableTiers> step) {
    while (true) {
      long began = System.nanoTime();
      tables.values().forEach(table -> tryStep(table, step));
      long restNanos = Math.max(PROMOTION_NANOS, System.nanoTime() - began);
      LockSupport.parkNanos(Math.min(MOST_REST_NANOS, restNanos));
    }
  }

  private static void tryStep(TableTiers table, Consumer<TableTiers> step) {
    try {
      step.accept(table);
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Promotion of {} failed; reads will ask for it again", table.cfs(), e);
    }
  }

  /** Nothing is staged before this has found that rows may be copied. */
  private static void promoteIfAttached(TableTiers table) {
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

  private void saveAll() {
    tables.values().forEach(TableTiers::saveHeat);
  }
}
