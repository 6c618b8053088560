/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

/** A flush of hot and cold rows; in mode {@code cache}, with the copies that follow it. */
final class FlushOfHotRows extends RowOperation {
  private static final int COLD = 10;

  private long copiedBefore;

  FlushOfHotRows(FaultyNode node, VersionedRows rows, int hot) {
    super(node, rows, 0, hot);
  }

  @Override
  public void prepare() {
    rows.write(from, to + COLD).readUntilHot(from, to);
    copiedBefore = rows.viewed("copied_rows");
  }

  @Override
  public void ask() throws Exception {
    node.flush(rows.table());
  }

  @Override
  public boolean isDone() {
    return !rows.isCache() || rows.viewed("copied_rows") >= copiedBefore + to - from;
  }
}
