/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.route;

import io.kasane.host.config.NodeConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes how much to avoid reading from this one: the severity that Cassandra's dynamic
 * snitch adds to what it has measured. It is the node's, whatever table is read; writes go to all
 * replicas as before. Thread-safe.
 */
public final class NodeSeverity {
  /** More than any kind has: reads here fail. */
  public static final double OUT = NodeConfig.MAX_SEVERITY;

  /** Below, a node still gets a share of the reads. */
  private static final double LEAST = 4;

  private static final Logger logger = LoggerFactory.getLogger(NodeSeverity.class);
  private static final long PERIOD_SECONDS = 1;

  private final List<DoubleSupplier> reasons = new CopyOnWriteArrayList<>();
  private final SeverityPolicy policy = new SeverityPolicy();

  /** Adds a reason, which is asked each second, must not wait, and is 0 while there is none. */
  public void add(DoubleSupplier reason) {
    reasons.add(reason);
  }

  /**
   * Starts to tell others.
   *
   * @param kinds what nodes of a rack have always, by the rack's name
   */
  public void start(Map<String, Double> kinds) {
    String rack = DatabaseDescriptor.getEndpointSnitch().getLocalRack();
    double ofKind = kinds.getOrDefault(rack, 0.0);
    add(() -> ofKind);
    if (ofKind > 0 && ofKind < LEAST) {
      logger.warn(
          "kinds of kasane.yaml gives rack {} a severity of {}: below {}, others read from this node"
              + " nevertheless, only less",
          rack,
          ofKind,
          LEAST);
    }
    if (!(DatabaseDescriptor.getEndpointSnitch() instanceof DynamicEndpointSnitch)) {
      logger.warn(
          "dynamic_snitch is false: reads are not steered away from this node, whatever its kind"
              + " and whether or not its storage engines work");
      return;
    }
    ScheduledExecutorService each =
        Executors.newSingleThreadScheduledExecutor(
            run -> {
              Thread thread = new Thread(run, "kasane-severity");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        each.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      if (StorageService.instance.isInitialized()) {
        double wanted = reasons.stream().mapToDouble(DoubleSupplier::getAsDouble).max().orElse(0);
        double gossiped =
            DynamicEndpointSnitch.getSeverity(FBUtilities.getBroadcastAddressAndPort());
        policy.next(gossiped, wanted).ifPresent(this::tell);
      }
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Telling others how much to avoid this node failed; it is tried again", e);
    }
  }

  private void tell(double severity) {
    DynamicEndpointSnitch.addSeverity(severity);
    logger.info("Other nodes are told to read from this one with a severity of {}", severity);
  }
}
