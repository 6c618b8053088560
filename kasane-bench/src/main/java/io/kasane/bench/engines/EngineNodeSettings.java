/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of nodes under test: all systems have the same.
 *
 * @param memtableMib how much a memtable takes before it is flushed
 * @param durability of the engines, as kasane.yaml has it; null for their default
 */
record EngineNodeSettings(int memtableMib, String durability) {
  private static final String ALLOW_THROUGH = "-Dkasane.engine_through=true";
  private static final String MAX_REQUEST = "300s";
  private static final String MEMTABLE = "memtable";
  private static final String CONFIGURATIONS = "configurations";

  /** Returns a durability as it is, if there is one of that name. */
  static String checked(String durability) {
    if (durability != null && !durability.equals("sync") && !durability.equals("none")) {
      throw new NodeException("--durability: '" + durability + "' is none of sync, none");
    }
    return durability;
  }

  void configure(NodeSettings.Builder node, EngineSystem system) {
    node.heap("1g")
        // A heap that grows would take the page cache's room in the course of a run.
        .jvmFlag("-XX:+AlwaysPreTouch")
        .engine("lsm")
        .yaml("memtable_heap_space", 2 * memtableMib + "MiB")
        .yaml("memtable_offheap_space", 2 * memtableMib + "MiB")
        .yaml("memtable_cleanup_threshold", 0.5)
        .yaml("compaction_throughput", "0MiB/s")
        // A scan of data beyond memory is one request that takes minutes.
        .yaml("range_request_timeout", MAX_REQUEST)
        .yaml("native_transport_timeout", MAX_REQUEST);
    if (system.isThrough()) {
      node.jvmFlag(ALLOW_THROUGH);
      addThrough(node, system);
    }
    if (durability != null) {
      node.kasaneYaml(
          "engines",
          Map.of(
              "lmdb", Map.of("durability", durability),
              "rocksdb", Map.of("durability", durability)));
    }
  }

  private static void addThrough(NodeSettings.Builder node, EngineSystem system) {
    Map<?, ?> ordinary = (Map<?, ?>) node.build().yaml().get(MEMTABLE);
    Map<Object, Object> names = new LinkedHashMap<>((Map<?, ?>) ordinary.get(CONFIGURATIONS));
    Map<?, ?> flushed = (Map<?, ?>) names.get(system.engine());
    names.put(
        system.label(),
        Map.of(
            "class_name",
            flushed.get("class_name"),
            "parameters",
            Map.of("engine", system.engine(), "mode", "through")));
    node.yaml(MEMTABLE, Map.of(CONFIGURATIONS, names));
  }
}
