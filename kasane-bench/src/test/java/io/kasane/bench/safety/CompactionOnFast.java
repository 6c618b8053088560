/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

/** A compaction, on request, of all SSTables that a table has on fast. */
final class CompactionOnFast extends RowOperation {
  CompactionOnFast(FaultyNode node, VersionedRows rows, int hot) {
    super(node, rows, 0, hot);
  }

  @Override
  public void prepare() throws Exception {
    writeToFast();
    node.compact(node.onFast(rows.table())); // so that there are as many SSTables each time
    writeToFast();
  }

  private void writeToFast() throws Exception {
    rows.write(from, to);
    node.flush(rows.table());
    rows.awaitOnFast(from, to, "a flush");
    assertThat(node.onFast(rows.table())).isNotEmpty();
  }

  /** Whoever asks for a compaction on a disk that fails may be told so. */
  @Override
  public void ask() throws Exception {
    try {
      node.compact(node.onFast(rows.table()));
    } catch (IOException e) {
      System.out.println("    compaction refused: " + e.getCause());
    }
  }

  @Override
  public boolean isDone() {
    return true;
  }
}
