/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.NodeException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The compaction options that give a table tiers, and lose nothing that cannot come back. */
final class TieredOptions {
  static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";

  private static final String CLASS = "class";
  private static final String STOCK_WINDOWS = "TimeWindowCompactionStrategy";
  private static final String UNIT = "compaction_window_unit";
  private static final String USUAL_UNIT = "DAYS";
  private static final String SIZE = "compaction_window_size";
  private static final String AGGRESSIVE = "unsafe_aggressive_sstable_expiration";

  private TieredOptions() {}

  /**
   * Those of a table.
   *
   * @param stock its options today: windows of time stay, since what was merged cannot be parted
   * @throws NodeException if its windows cannot be kept as they are
   */
  static Map<String, String> of(Map<String, String> stock) {
    Map<String, String> tiered = new TreeMap<>();
    if (stock.get(CLASS).endsWith(STOCK_WINDOWS)) {
      if (Boolean.parseBoolean(stock.get(AGGRESSIVE))) {
        throw new NodeException(
            AGGRESSIVE
                + " is 'true', and windows of a table with tiers never go while they hide older"
                + " data; ALTER it to 'false' first");
      }
      tiered.putAll(stock);
      tiered.remove(AGGRESSIVE);
      if (!stock.containsKey(SIZE)) {
        tiered.putIfAbsent(UNIT, USUAL_UNIT);
      }
    }
    tiered.put(CLASS, STRATEGY);
    return tiered;
  }

  /** The same as CQL writes them. */
  static String cql(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> quoted(option.getKey()) + ": " + quoted(option.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
