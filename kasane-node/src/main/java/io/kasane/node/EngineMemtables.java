/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The part of cassandra.yaml that puts storage engines behind tables, by their memtables. */
final class EngineMemtables {
  private static final String CLASS = "io.kasane.engine.memtable.EngineMemtable";
  private static final String LSM = "lsm";

  /** Every node with engines has these. */
  private static final List<String> BUILT_IN = List.of(LSM, "lmdb", "rocksdb");

  /** These are a process beside the node, which only has it if it is asked for. */
  private static final List<String> SERVERS = List.of("redis", "innodb");

  private EngineMemtables() {}

  /**
   * Engines by their names, and {@code engine} for tables that name none.
   *
   * @param more engines that the node is to have
   */
  static Map<String, Object> configurations(String engine, List<String> more) {
    Set<String> all = new LinkedHashSet<>(BUILT_IN);
    List<String> asked = new ArrayList<>(List.of(engine));
    asked.addAll(more);
    for (String each : asked) {
      if (!BUILT_IN.contains(each) && !SERVERS.contains(each)) {
        all.addAll(SERVERS);
        throw new NodeException("engine: '" + each + "' is none of " + all);
      }
      all.add(each);
    }
    Map<String, Object> names = new LinkedHashMap<>();
    names.put("default", configuration(engine));
    all.forEach(name -> names.put(name, configuration(name)));
    return Map.of("configurations", names);
  }

  /** Whether settings of {@code cassandra.yaml} put engines behind tables. */
  static boolean isIn(Map<String, Object> yaml) {
    return String.valueOf(yaml.get("memtable")).contains(CLASS);
  }

  private static Map<String, Object> configuration(String engine) {
    return engine.equals(LSM)
        ? Map.of("class_name", CLASS)
        : Map.of("class_name", CLASS, "parameters", Map.of("engine", engine));
  }
}
