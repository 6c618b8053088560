/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.host.internals.Callers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.repair.CassandraValidationIterator;
import org.apache.cassandra.db.streaming.CassandraStreamManager;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Reads, streams and compactions that selected a table's SSTables before an engine's rows were
 * added to them.
 */
final class ReadBarrier {
  /** To look stops all threads for a moment, and compactions take seconds at least. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Both choose SSTables first, and ask memtables for the engine's rows then. */
  private static final List<Callers.Method> STREAMS =
      List.of(
          new Callers.Method(CassandraStreamManager.class, "createOutgoingStreams"),
          new Callers.Method(CassandraValidationIterator.class, "<init>"));

  private ReadBarrier() {}

  /**
   * Waits until none is left: the rows may leave the engine then.
   *
   * <ul>
   *   <li>Reads, which take their view and then the engine's snapshot.
   *   <li>Streams and validations, which Cassandra's order of reads does not know.
   *   <li>Compactions: one that does not know of the SSTables would purge tombstones whose rows are
   *       in them, as soon as the engine has nothing.
   * </ul>
   *
   * @return false if it was stopped before
   */
  static boolean awaitGone(ColumnFamilyStore table, BooleanSupplier isStopped) {
    table.readOrdering.awaitNewBarrier();
    Set<Descriptor> compacting = compacting(table);
    Set<Thread> streams = Callers.within(STREAMS);
    while (!compacting.isEmpty() || !streams.isEmpty()) {
      if (isStopped.getAsBoolean()) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
      compacting.retainAll(compacting(table));
      if (!streams.isEmpty()) {
        streams.retainAll(Callers.within(STREAMS));
      }
    }
    return true;
  }

  private static Set<Descriptor> compacting(ColumnFamilyStore table) {
    Set<Descriptor> compacting = new HashSet<>();
    for (SSTableReader sstable : table.getTracker().getCompacting()) {
      compacting.add(sstable.descriptor);
    }
    return compacting;
  }
}
