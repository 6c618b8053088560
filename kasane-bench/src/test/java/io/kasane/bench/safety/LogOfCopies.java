/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** The first copies of a new table, whose log begins with them. */
final class LogOfCopies implements Operation {
  /** The files that it writes on the disk of heat. */
  static final String FILES = "kasane/k\\.log_.*\\.copies.*";

  private static final Duration MAX_UNTIL_COPIED = Duration.ofSeconds(30);
  private static final int ROWS = 8;

  private final FaultyNode node;
  private final String options;
  private final List<VersionedRows> tables = new ArrayList<>();
  private VersionedRows rows;

  LogOfCopies(FaultyNode node, String options) {
    this.node = node;
    this.options = options;
  }

  /** All that it has made. */
  List<VersionedRows> tables() {
    return tables;
  }

  @Override
  public void prepare() {}

  @Override
  public void ask() throws Exception {
    rows = new VersionedRows(node, "log_" + tables.size(), options);
    tables.add(rows);
    rows.write(0, ROWS);
    node.flush(rows.table());
  }

  @Override
  public boolean isDone() {
    rows.read(0, ROWS);
    return rows.viewed("copied_rows") >= ROWS;
  }

  /** Copies need no log. */
  @Override
  public void requireService(String when) throws Exception {
    Awaitility.await("rows of " + rows.table() + " are copied during " + when)
        .atMost(MAX_UNTIL_COPIED)
        .until(this::isDone);
    rows.awaitOnFast(0, ROWS, when);
    rows.write(0, ROWS);
    node.flush(rows.table());
    rows.requireNotInMemory(0, ROWS, when);
    rows.requireAll(when);
  }

  @Override
  public void awaitRecovery(String when) {
    rows.awaitOnFast(0, ROWS, when);
  }
}
