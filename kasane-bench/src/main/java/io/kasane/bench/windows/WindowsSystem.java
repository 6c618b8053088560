/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.node.NodeException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A way to keep the table. */
enum WindowsSystem {
  /** Stock Cassandra, all on the slow disk. */
  TWCS_SLOW("twcs-slow", false, false, "TimeWindowCompactionStrategy"),
  /**
   * Stock Cassandra with both disks as data directories. It keeps half of the token ranges on each,
   * so its fast disk is as large as that takes: on one of Kasane's size all writes fail in a
   * minute.
   */
  TWCS_BOTH("twcs-both", false, true, "TimeWindowCompactionStrategy"),
  /** Windows on slow, copies of hot partitions on fast. */
  KASANE("kasane", true, true, "io.kasane.tier.HeatTieredCompactionStrategy");

  private final String label;
  private final boolean kasane;
  private final boolean fast;
  private final String strategy;

  WindowsSystem(String label, boolean kasane, boolean fast, String strategy) {
    this.label = label;
    this.kasane = kasane;
    this.fast = fast;
    this.strategy = strategy;
  }

  String label() {
    return label;
  }

  boolean isKasane() {
    return kasane;
  }

  boolean hasFast() {
    return fast;
  }

  /** The same options for all: an operator changes the class. */
  String compaction() {
    return "{'class': '"
        + strategy
        + "', 'compaction_window_unit': 'MINUTES', 'compaction_window_size': '1',"
        + " 'expired_sstable_check_frequency_seconds': '10'}";
  }

  static List<WindowsSystem> chosen(Set<String> only) {
    List<String> known = Arrays.stream(values()).map(WindowsSystem::label).toList();
    if (only != null && !known.containsAll(only)) {
      throw new NodeException(
          "--only: '"
              + only.stream().sorted().collect(Collectors.joining(","))
              + "' is not of "
              + String.join(", ", known));
    }
    return Arrays.stream(values()).filter(s -> only == null || only.contains(s.label())).toList();
  }
}
