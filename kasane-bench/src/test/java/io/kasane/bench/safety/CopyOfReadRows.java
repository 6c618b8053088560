/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

/** The copies of rows that a read found on slow. */
final class CopyOfReadRows extends RowOperation {
  private static final int COUNT = 8;

  private long copiedBefore;

  CopyOfReadRows(FaultyNode node, VersionedRows rows) {
    super(node, rows, 0, 0);
  }

  /** New rows, since those that were read are hot. */
  @Override
  public void prepare() throws Exception {
    from = rows.count();
    to = from + COUNT;
    rows.write(from, to);
    node.flush(rows.table());
    copiedBefore = rows.viewed("copied_rows");
  }

  @Override
  public void ask() {
    rows.read(from, to);
  }

  @Override
  public boolean isDone() {
    rows.read(from, to);
    return rows.viewed("copied_rows") >= copiedBefore + COUNT;
  }
}
