/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatMemory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * A heat policy for experiments only, and the value of {@code heat_policy} that selects it. {@link
 * java.util.ServiceLoader} finds it on the node's class path. One instance is one baseline: options
 * are compared by it.
 */
public interface BaselinePolicyProvider {
  /** The value, in small letters with hyphens. */
  String name();

  /** The further options of a table that it reads. */
  Set<String> options();

  /**
   * Checks these of a table that wants it.
   *
   * @throws ConfigurationException naming the option, the value seen, the bound and the way out
   */
  void check(Map<String, String> options);

  /** Whether it needs to know how often rows are accessed. */
  boolean goesByHeat();

  /**
   * The policy of a table.
   *
   * @param options that were checked
   */
  HeatPolicy make(Map<String, String> options, Surroundings of);

  /**
   * What a policy may use.
   *
   * @param table for messages
   * @param keyLists the directory that this node offers to tables, if it does
   * @param memory bounds the keys of all lists together
   */
  record Surroundings(
      String table, IPartitioner partitioner, Optional<Path> keyLists, HeatMemory memory) {}
}
