/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of cassandra.yaml that puts storage engines behind tables, by their memtables. */
final class EngineMemtables {
  private static final String CLASS = "io.kasane.engine.memtable.EngineMemtable";
  private static final String LSM = "lsm";
  private static final List<String> NAMES = List.of(LSM, "lmdb", "rocksdb");

  private EngineMemtables() {}

  /** Every engine by its name, and {@code engine} for tables that name none. */
  static Map<String, Object> configurations(String engine) {
    if (!NAMES.contains(engine)) {
      throw new NodeException("engine: '" + engine + "' is none of " + NAMES);
    }
    Map<String, Object> names = new LinkedHashMap<>();
    names.put("default", configuration(engine));
    NAMES.forEach(name -> names.put(name, configuration(name)));
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
