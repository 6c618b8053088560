/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A save of heat, and the beginning of the next: begun anew, since the one before it failed. */
final class SaveOfHeat extends RowOperation {
  private static final String DIRECTORY = "kasane";

  /** The last request of a save, which makes the new name durable. */
  private static final String SAVE_ENDS = "SYNC " + DIRECTORY;

  private static final int REQUESTS_OF_THE_NEXT = 2;

  private FaultyDisk.Requests sinceFailure;

  SaveOfHeat(FaultyNode node, VersionedRows rows) {
    super(node, rows, 0, rows.count());
  }

  /** The files that it writes on the disk of heat. */
  String files() {
    return DIRECTORY + "(/k\\." + rows.table() + "-.*\\.heat.*)?";
  }

  @Override
  public void prepare() throws Exception {
    node.flush(rows.table());
    sinceFailure = node.heatDisk().failOnce(files());
  }

  @Override
  public void ask() {
    rows.read(from, to);
  }

  @Override
  public boolean isDone() throws IOException {
    rows.read(from, to);
    List<String> requests = sinceFailure.described();
    int end = requests.indexOf(SAVE_ENDS);
    return end >= 0 && requests.size() > end + REQUESTS_OF_THE_NEXT;
  }

  @Override
  public void awaitRecovery(String when) throws IOException {
    FaultyDisk.Requests now = node.heatDisk().count(files());
    Awaitility.await("heat is saved after " + when)
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              rows.read(from, to);
              return now.described().contains(SAVE_ENDS);
            });
    node.heatDisk().clear();
  }
}
