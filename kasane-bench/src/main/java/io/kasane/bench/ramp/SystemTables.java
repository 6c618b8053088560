/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.ramp.history.History;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Systems, each with a table of its own; the tables are dropped at the end. For one thread. */
final class SystemTables implements AutoCloseable {
  private static final int SAMPLED_KEYS = 200;

  private final Systems all;
  private final RampCluster cluster;
  private final String kind;
  private final Map<String, TransactionSystem> open = new LinkedHashMap<>();

  /**
   * None is open yet.
   *
   * @param kind what the names of the tables begin with
   */
  SystemTables(Systems all, RampCluster cluster, String kind) {
    this.all = all;
    this.cluster = cluster;
    this.kind = kind;
  }

  /**
   * Makes a system's table and starts it.
   *
   * @param histories where its history is left, if anywhere
   */
  void open(String system, Optional<Path> histories) {
    String table = table(system);
    open.put(
        system,
        histories
            .map(folder -> all.open(system, table, History.in(folder, system + "-" + kind)))
            .orElseGet(() -> all.open(system, table)));
  }

  /** The system of that name, if it is open. */
  Optional<TransactionSystem> of(String system) {
    return Optional.ofNullable(open.get(system));
  }

  /** What a run saw and what it left on the nodes. */
  CellResult result(Cell cell, RunResult run, double loadAverage) {
    String system = cell.system();
    int keys = cell.shape().keys();
    return new CellResult(
        cell,
        run,
        all.versionsPerKey(system, table(system), Math.min(SAMPLED_KEYS, keys)),
        cluster.bytesOf(table(system)) / (double) keys,
        loadAverage);
  }

  private String table(String system) {
    return kind + "_" + system.replace('-', '_');
  }

  @Override
  public void close() {
    open.values().forEach(TransactionSystem::close);
    open.keySet().forEach(system -> cluster.drop(table(system)));
  }
}
