/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.health.CircuitBreaker;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.rows.RowStore.Progress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes rows from an engine that belong to other nodes, as {@code nodetool cleanup} does for
 * SSTables. It runs only when an operator asks: if the ring was configured wrongly, these rows may
 * be the only ones that exist.
 *
 * <p>Secondary indexes are not told. What they would write of a row has the row's own time stamp,
 * and would hide its entry when the row comes back as it was; entries of rows that are not there
 * are passed over.
 */
final class Cleanup {
  private static final Logger logger = LoggerFactory.getLogger(Cleanup.class);

  /** Flushes of the table wait for a step: too short to be noticed. */
  private static final long MAX_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Cleanup() {}

  /**
   * Removes what is not this node's.
   *
   * @return whether all of it is gone; false if Cassandra asked to stop
   * @throws IllegalStateException if the engine is out, or the ring changes so that this node gets
   *     what is being removed
   */
  static boolean run(ColumnFamilyStore table, StoredTable stored) {
    if (!stored.mayHaveRows()) {
      return true;
    }
    CircuitBreaker.State state = stored.engine().writes().state();
    if (!state.isClosed()) {
      throw new IllegalStateException(
          table
              + " cannot be cleaned up: "
              + stored.engine().name()
              + " is out ("
              + state.reason()
              + "); run cleanup again when kasane_views.engines says that it takes writes");
    }
    long removed = 0;
    try (RunningMove running = RunningMove.begin(table, OperationType.CLEANUP)) {
      List<Range<Token>> rest =
          NodeRanges.without(NodeRanges.kept(table.getKeyspaceName()), table.getPartitioner());
      for (Range<Token> range : rest) {
        Progress at = new Progress(null, 0);
        do {
          if (running.isStopRequested()) {
            return false;
          }
          at = removeSome(table, stored, range, at.next());
          removed += at.changes();
        } while (at.next() != null);
      }
      stored.sync();
    }
    logger.info("Cleaned up {} entries of {} in {}", removed, table, stored.engine().name());
    return true;
  }

  private static Progress removeSome(
      ColumnFamilyStore table, StoredTable stored, Range<Token> range, byte[] to) {
    return stored.step(
        MAX_STEP_NANOS,
        (rows, pauses) -> {
          // Whatever streams or is written for a new range comes in only behind this step.
          if (Range.intersects(List.of(range), NodeRanges.kept(table.getKeyspaceName()))) {
            throw new IllegalStateException(
                "the ring changes while "
                    + table
                    + " is cleaned up; run cleanup again when nodetool netstats says NORMAL");
          }
          return rows.remove(Range.makeRowRange(range), to, pauses);
        });
  }
}
