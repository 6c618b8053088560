/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.util.concurrent.TimeUnit;

/**
 * Refuses what the capacity, or the disk, has no room for. Files of tables do not shrink: what is
 * free within them counts as room. Only for who holds the writer's lock.
 */
final class TableRoom {
  /** What puts may not fill: deletions need room before they make some. */
  private static final int KEPT_SHARE = 8;

  private static final long MAX_KEPT_BYTES = 4L << 30;
  private static final long PAGE_BYTES = 16 << 10;

  /** A longer value has pages of its own. */
  private static final long INLINE_BYTES = PAGE_BYTES / 2 - 200;

  /** Pages that were split are half full, and each row has a header. */
  private static final double OVERHEAD = 1.5;

  private static final long ROW_BYTES = 40;

  /** How much of the room may be used up before it is looked at again, and for how long. */
  private static final int UNSEEN_SHARE = 8;

  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String FREE =
      "SELECT COALESCE(SUM(DATA_FREE), 0) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '";

  private final String name;
  private final SqlServer server;
  private final SqlConnections connections;
  private final long capacityBytes;
  private long roomBytes;
  private long usedSinceBytes;
  private long lookedAtNanos = System.nanoTime() - MAX_AGE_NANOS;

  TableRoom(String name, SqlServer server, SqlConnections connections, long capacityBytes) {
    this.name = name;
    this.server = server;
    this.connections = connections;
    this.capacityBytes = capacityBytes;
  }

  /** Makes sure that all puts of a batch fit. */
  void require(EngineBatch batch) {
    long bytes = batch.changes().stream().mapToLong(TableRoom::mostBytes).sum();
    boolean isOld = System.nanoTime() - lookedAtNanos > MAX_AGE_NANOS;
    if (isOld || usedSinceBytes + bytes > roomBytes / UNSEEN_SHARE) {
      look();
    }
    if (bytes > roomBytes) {
      throw new EngineException(
          Kind.FULL,
          String.format(
              "%s has room for %,d bytes, beside what it keeps for deletions, of a capacity of %,d"
                  + " and %,d that are free on its disk",
              name, Math.max(0, roomBytes), capacityBytes, server.usableBytes()));
    }
    usedSinceBytes += bytes;
  }

  private void look() {
    long files = server.tableBytes(connections);
    long free =
        connections.write(
            connection -> OperatorMariadb.number(connection, FREE + server.schema() + "'"));
    long usable = server.usableBytes();
    long ofCapacity = capacityBytes - capacityBytes / KEPT_SHARE - (files - free);
    long disk = usable + files;
    long ofDisk = usable + free - Math.min(disk / KEPT_SHARE, MAX_KEPT_BYTES);
    roomBytes = Math.min(ofCapacity, ofDisk);
    usedSinceBytes = 0;
    lookedAtNanos = System.nanoTime();
  }

  private static long mostBytes(EngineBatch.Change change) {
    if (change.isDelete()) {
      return 0;
    }
    long row = ROW_BYTES + change.key().length;
    long value = change.value().length;
    return row + value <= INLINE_BYTES
        ? (long) (OVERHEAD * (row + value))
        : (long) (OVERHEAD * row) + (value + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }
}
