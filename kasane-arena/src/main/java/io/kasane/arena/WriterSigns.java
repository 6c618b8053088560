/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

/**
 * Whether a writer is believed, by the signs of life that it leaves in its arena. Thread-safe; of
 * several threads that look, each look counts from when it began.
 */
final class WriterSigns {
  private long seenBeat;
  private long lookedAtNanos;
  private volatile long freshUntilNanos;
  private volatile boolean isDead;

  /**
   * Not believed yet.
   *
   * @param nowNanos before the beat was read
   */
  WriterSigns(long beat, long nowNanos) {
    this.seenBeat = beat;
    this.lookedAtNanos = nowNanos;
    this.freshUntilNanos = nowNanos - 1;
  }

  /**
   * A look has seen this. Whoever has beaten since the look before lived then, at least.
   *
   * @param nowNanos before it was read
   * @return whether it has beaten since, and may be read
   */
  synchronized boolean saw(long beat, int state, long nowNanos) {
    long before = lookedAtNanos;
    lookedAtNanos = nowNanos;
    if (state == ArenaLayout.DEAD) {
      isDead = true;
    }
    boolean isLive = !isDead && state == ArenaLayout.LIVE;
    boolean hasBeaten = isLive && beat != seenBeat;
    if (!isLive) {
      freshUntilNanos = nowNanos - 1;
    } else if (hasBeaten) {
      freshUntilNanos = before + ArenaReader.MAX_SILENCE_NANOS;
    }
    seenBeat = beat;
    return hasBeaten;
  }

  /** Whether what it has written is still believed. */
  boolean isFresh(long nowNanos) {
    return !isDead && nowNanos - freshUntilNanos < 0;
  }

  /** Whether it will never write again. */
  boolean isDead() {
    return isDead;
  }

  /** It is believed no more. */
  void end() {
    isDead = true;
  }
}
