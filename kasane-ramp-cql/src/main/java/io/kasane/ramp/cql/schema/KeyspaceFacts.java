/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A keyspace and its cluster, as far as transactions depend on them.
 *
 * @param name the keyspace's
 * @param strategy the simple name of the replication strategy's class
 * @param replicas how many full replicas each data centre has; of a strategy that knows no data
 *     centres all of them, under an empty name
 * @param transientReplicas whether some replicas keep what is not repaired yet only
 * @param durableWrites whether writes go to the commit log
 */
public record KeyspaceFacts(
    String name,
    String strategy,
    Map<String, Integer> replicas,
    boolean transientReplicas,
    boolean durableWrites) {
  /** Takes a copy, in the order of the names. */
  public KeyspaceFacts {
    replicas = Collections.unmodifiableMap(new TreeMap<>(replicas));
  }

  /** How many replicas there are in all. */
  public int allReplicas() {
    return replicas.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether more than one data centre has replicas. */
  public boolean hasSeveralDataCentres() {
    return replicas.size() > 1;
  }

  /** As schema tables have it: class and factors by name, a factor as {@code 3} or {@code 3/1}. */
  public static KeyspaceFacts of(
      String name, Map<String, String> replication, boolean durableWrites) {
    String strategy = replication.getOrDefault("class", "");
    Map<String, Integer> replicas = new TreeMap<>();
    boolean transientReplicas = false;
    for (Map.Entry<String, String> each : replication.entrySet()) {
      if (!each.getKey().equals("class")) {
        String[] factor = each.getValue().split("/", 2);
        int full = Integer.parseInt(factor[0].trim());
        transientReplicas |= factor.length > 1;
        if (full > 0) {
          replicas.put(each.getKey().equals("replication_factor") ? "" : each.getKey(), full);
        }
      }
    }
    return new KeyspaceFacts(
        name,
        strategy.substring(strategy.lastIndexOf('.') + 1),
        replicas,
        transientReplicas,
        durableWrites);
  }
}
