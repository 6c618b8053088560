/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Set;
import java.util.concurrent.Semaphore;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The inputs of a compaction from which rows may be copied until it ends. Its end waits for the
 * copies that are being written; so for these, too, the inputs stay live and marked as compacting.
 *
 * <p>The compaction may drop a deletion together with what it deletes. So a copy holds what
 * <em>all</em> these inputs hold of its row, or nothing of any of them.
 *
 * <p>Thread-safe; equal to none but itself. Whoever has {@link #enter entered} must not wait for
 * the compaction, nor for whoever stops it and waits until it has ended.
 */
public final class SharedInputs {
  private static final int MAX_COPIES = Integer.MAX_VALUE; // no bound: the end takes them all

  /** One is taken by each copy, all are by the end. */
  private final Semaphore copies = new Semaphore(MAX_COPIES);

  private final Set<SSTableReader> inputs;
  private volatile boolean ends;

  /**
   * Rows may be copied from now on.
   *
   * @param marked all that the compaction has marked as compacting
   */
  public SharedInputs(Set<SSTableReader> marked) {
    this.inputs = Set.copyOf(marked);
  }

  public Set<SSTableReader> all() {
    return inputs;
  }

  /**
   * A copy begins.
   *
   * @return false if the compaction ends; else it does not until {@link #leave}
   */
  public boolean enter() {
    return !ends && copies.tryAcquire();
  }

  /** Reads know of it, or it will never be live. */
  public void leave() {
    copies.release();
  }

  /** Nothing is copied from now on, and reads know of what was being copied. */
  public synchronized void close() {
    if (!ends) {
      ends = true;
      copies.acquireUninterruptibly(MAX_COPIES);
    }
  }
}
