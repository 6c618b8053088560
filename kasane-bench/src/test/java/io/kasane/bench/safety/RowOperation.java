/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

/** What writes rows of a table to fast, some of which are hot from then on. */
abstract class RowOperation implements Operation {
  final FaultyNode node;
  final VersionedRows rows;
  int from;
  int to;

  /**
   * An operation.
   *
   * @param from the first row that is to be on fast
   * @param to the first after it that is not
   */
  RowOperation(FaultyNode node, VersionedRows rows, int from, int to) {
    this.node = node;
    this.rows = rows;
    this.from = from;
    this.to = to;
  }

  /** Clients write and read, and memory does not fill with what cannot be flushed. */
  @Override
  public void requireService(String when) throws Exception {
    rows.requireNotInMemory(from, to, when);
    rows.write(from, (from + to) / 2).read(from, to);
    node.flush(rows.table());
    rows.requireNotInMemory(from, to, when);
    rows.requireAll(when);
  }

  @Override
  public void awaitRecovery(String when) throws Exception {
    rows.awaitOnFast(from, to, when);
  }
}
