/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what is said of storage engines and of kinds of nodes.
 *
 * @param reader of the file
 */
record EngineReader(SettingsReader reader) {
  Map<String, EngineSettings> engines() {
    Object value = reader.get(NodeConfig.ENGINES);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> all)) {
      throw reader.bad(
          NodeConfig.ENGINES, value, "a map of engines", "leave it out for the defaults");
    }
    Map<String, EngineSettings> engines = new TreeMap<>();
    all.forEach((name, one) -> engines.put(engineName(name), engine(engineName(name), one)));
    return engines;
  }

  Map<String, Double> kinds() {
    Object value = reader.get(NodeConfig.KINDS);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> all)) {
      throw reader.bad(
          NodeConfig.KINDS,
          value,
          "a map of racks, such as {hdd: 5}",
          "leave it out to steer no reads");
    }
    Map<String, Double> kinds = new TreeMap<>();
    all.forEach((rack, severity) -> kinds.put(String.valueOf(rack), severity(rack, severity)));
    return kinds;
  }

  private double severity(Object rack, Object value) {
    if (value instanceof Number number
        && number.doubleValue() >= 0
        && number.doubleValue() < NodeConfig.MAX_SEVERITY) {
      return number.doubleValue();
    }
    throw reader.bad(
        NodeConfig.KINDS + "." + rack,
        value,
        "a severity of at least 0 and below " + NodeConfig.MAX_SEVERITY,
        "give it 0 to steer no reads away from that rack");
  }

  private String engineName(Object name) {
    if (name instanceof String text && EngineSettings.NAME.matcher(text).matches()) {
      return text;
    }
    throw reader.bad(
        NodeConfig.ENGINES, name, "a map of engines by their names, such as lmdb", "remove it");
  }

  private EngineSettings engine(String name, Object value) {
    String path = NodeConfig.ENGINES + "." + name;
    if (!(value instanceof Map<?, ?> one)) {
      throw reader.bad(
          path, value, "a map of " + EngineSettings.KNOWN, "leave it out for the defaults");
    }
    for (Object key : one.keySet()) {
      if (!EngineSettings.KNOWN.contains(String.valueOf(key))) {
        throw reader.bad(path, key, "a map of " + EngineSettings.KNOWN, "remove it");
      }
    }
    SettingsReader own = new SettingsReader(one, reader.source() + ": " + path);
    return new EngineSettings(
        own.size(EngineSettings.CAPACITY, EngineSettings.MIN_BYTES, "most of what its disk has"),
        own.size(EngineSettings.MEMORY, EngineSettings.MIN_BYTES, "an eighth of the heap"),
        durability(own),
        EngineServerReader.read(own));
  }

  private static boolean durability(SettingsReader reader) {
    Object value = reader.get(EngineSettings.DURABILITY);
    if (value == null || value.equals("sync")) {
      return true;
    }
    if (value.equals("none")) {
      return false;
    }
    throw reader.bad(
        EngineSettings.DURABILITY,
        value,
        "sync, or none for data that a power failure may take",
        "leave it out for sync");
  }
}
