/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.node.NodeException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What stores the table's rows, and how they get there. */
enum EngineSystem {
  /** Cassandra's memtables and SSTables. */
  LSM("lsm", "lsm", false),

  /** LMDB, by flushes of memtables. */
  LMDB("lmdb", "lmdb", false),

  /** RocksDB, by flushes of memtables. */
  ROCKSDB("rocksdb", "rocksdb", false),

  /** LMDB, by each write. */
  LMDB_THROUGH("lmdb-through", "lmdb", true),

  /** RocksDB, by each write. */
  ROCKSDB_THROUGH("rocksdb-through", "rocksdb", true);

  private final String label;
  private final String engine;
  private final boolean isThrough;

  EngineSystem(String label, String engine, boolean isThrough) {
    this.label = label;
    this.engine = engine;
    this.isThrough = isThrough;
  }

  /** Its name, also that of the memtable that makes a table one of it. */
  String label() {
    return label;
  }

  /** The engine's name, also that of the memtable which is flushed into it. */
  String engine() {
    return engine;
  }

  /** Whether each write goes into the engine at once. */
  boolean isThrough() {
    return isThrough;
  }

  /** The names of all, in the order of their bars. */
  static List<String> labels() {
    return Arrays.stream(values()).map(EngineSystem::label).toList();
  }

  /**
   * The systems to run.
   *
   * @param only their names; null for all
   * @param through whether those are among them that take each write at once
   */
  static List<EngineSystem> chosen(Set<String> only, boolean through) {
    if (only != null) {
      for (String name : only) {
        if (!labels().contains(name)) {
          throw new NodeException(
              "--only: '" + name + "' is none of " + String.join(", ", labels()));
        }
      }
    }
    return Arrays.stream(values())
        .filter(one -> only == null ? through || !one.isThrough : only.contains(one.label))
        .toList();
  }
}
