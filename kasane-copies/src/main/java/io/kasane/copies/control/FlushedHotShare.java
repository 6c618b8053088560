/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

/**
 * Of the rows that are flushed, how many are hot by then. Where new rows are what is read, as of a
 * time series, these are many, and those that nobody has read yet are likely to be read next. An
 * exponentially weighted mean over flushes, since each is of a few seconds. Used by one thread.
 */
public final class FlushedHotShare {
  /** The last four tell most. */
  private static final double WEIGHT = 0.25;

  /** Then at most three rows are copied for nothing to one that is read. */
  private static final double MUCH = 0.25;

  private double share;

  /** Takes note of a flush. */
  public void flushed(long hotRows, long rows) {
    if (rows > 0) {
      share += WEIGHT * ((double) hotRows / rows - share);
    }
  }

  /** Whether it is likely that what is flushed is read. */
  public boolean isMuch() {
    return share >= MUCH;
  }
}
