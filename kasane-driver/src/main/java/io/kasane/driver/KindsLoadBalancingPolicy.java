/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.util.collection.SimpleQueryPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * The driver's default policy, but that nodes of some racks are asked last: those of the kind that
 * reads avoid. A node that is asked and has the row saves one that asks others for it. For profiles
 * of reads: a write goes to all replicas, whoever is asked. Thread-safe.
 */
public class KindsLoadBalancingPolicy extends DefaultLoadBalancingPolicy {
  private final Set<String> avoidedRacks;

  /**
   * As the driver makes it.
   *
   * @throws IllegalArgumentException if the profile does not say which racks
   */
  public KindsLoadBalancingPolicy(DriverContext context, String profileName) {
    super(context, profileName);
    DriverExecutionProfile profile = context.getConfig().getProfile(profileName);
    List<String> racks = profile.getStringList(KindsOption.AVOIDED_RACKS, List.of());
    if (racks.isEmpty()) {
      throw new IllegalArgumentException(
          KindsOption.AVOIDED_RACKS.getPath()
              + " of profile '"
              + profileName
              + "' names no rack: list those of the kind that reads avoid, as in"
              + " avoided-racks = [\"hdd\"], or use the driver's DefaultLoadBalancingPolicy");
    }
    this.avoidedRacks = Set.copyOf(racks);
  }

  @Override
  public Queue<Node> newQueryPlan(Request request, Session session) {
    return avoidedLast(super.newQueryPlan(request, session), avoidedRacks);
  }

  /** The same nodes in the same order, those of the racks after all others. */
  static Queue<Node> avoidedLast(Queue<Node> plan, Set<String> racks) {
    List<Node> nodes = new ArrayList<>();
    List<Node> last = new ArrayList<>();
    for (Node node = plan.poll(); node != null; node = plan.poll()) {
      boolean isAvoided = node.getRack() != null && racks.contains(node.getRack());
      (isAvoided ? last : nodes).add(node);
    }
    nodes.addAll(last);
    return new SimpleQueryPlan(nodes.toArray());
  }
}
