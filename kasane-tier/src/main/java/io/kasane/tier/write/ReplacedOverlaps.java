/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.compaction.CompactionController;

/**
 * Lets go of SSTables that others have replaced while a compaction runs. To know what it may purge,
 * it holds all SSTables that overlap with its own; Cassandra looks once a minute whether these are
 * still live. For that long their files would take room on the fast disk, though they are merged
 * many times a minute there, and updates of hot rows would be refused. Used by the thread that
 * compacts.
 */
public final class ReplacedOverlaps {
  /** As often as the use of the fast disk is measured. */
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Runnable refresh;
  private final LongSupplier nanoTime;
  private long lookedAtNanos;

  public ReplacedOverlaps(CompactionController controller) {
    this(controller::maybeRefreshOverlaps, System::nanoTime);
  }

  ReplacedOverlaps(Runnable refresh, LongSupplier nanoTime) {
    this.refresh = refresh;
    this.nanoTime = nanoTime;
    this.lookedAtNanos = nanoTime.getAsLong();
  }

  /** A row was written; nothing of what the compaction asked for it is needed any more. */
  void rowWritten() {
    long now = nanoTime.getAsLong();
    if (now - lookedAtNanos >= PERIOD_NANOS) {
      lookedAtNanos = now;
      refresh.run();
    }
  }
}
