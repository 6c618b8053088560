/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.host.view.Views;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what views and metrics show of this node's engines a few seconds old at most. */
public final class EngineWatch {
  private static final Logger logger = LoggerFactory.getLogger(EngineWatch.class);

  /** Often enough for who watches a log, seldom enough to cost nothing. */
  private static final long PERIOD_SECONDS = 5;

  private final EngineReports reports;
  private final EngineGauges gauges;
  private final DiskSpace space;
  private final EstimateWriter estimates;

  public EngineWatch(NodeEngines engines, SnapshotCopies copies) {
    this.reports = new EngineReports(engines, copies);
    this.gauges = new EngineGauges(reports);
    this.space = new DiskSpace(reports);
    this.estimates = new EstimateWriter(reports);
  }

  /** Shows views and metrics, and starts the thread that keeps them new. */
  public void start() {
    Views.register(EngineViews.of(reports));
    gauges.registerEngines();
    ScheduledExecutorService each =
        Executors.newSingleThreadScheduledExecutor(
            run -> {
              Thread thread = new Thread(run, "kasane-engine-views");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        each.scheduleWithFixedDelay(this::look, 1, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      reports.ask();
      if (StorageService.instance.isInitialized()) {
        gauges.followTables();
        space.count();
        estimates.look();
      }
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Looking at the sizes of storage engines failed; it is tried again", e);
    }
  }
}
