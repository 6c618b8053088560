/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.rdma.wire.Service;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** What requests go over, or beside, until it ends. Thread-safe. */
abstract class Line {
  private final Dialled dialled;
  private final Instant expires;
  private final BiConsumer<Line, String> onEnd;
  private final AtomicBoolean hasEnded = new AtomicBoolean();

  /**
   * Over a connection, which is its own from now on.
   *
   * @param onEnd is told why, once
   */
  Line(Dialled dialled, Instant expires, BiConsumer<Line, String> onEnd) {
    this.dialled = dialled;
    this.expires = expires;
    this.onEnd = onEnd;
  }

  final Dialled dialled() {
    return dialled;
  }

  /** Returns what was found of each key; all are silent if it ends before. */
  abstract CompletionStage<List<Answer>> ask(List<ArenaKey> keys);

  /** How it is served. */
  abstract Service service();

  /** To be called some twenty times a second. */
  void look() {}

  /** Whether somebody waits for longer than he is to. */
  abstract boolean isLate();

  /** When another token is needed. */
  final Instant expires() {
    return expires;
  }

  /** Whether it has ended. */
  final boolean hasEnded() {
    return hasEnded.get();
  }

  /** Ends it, unless it has ended; whoever waits is answered. */
  final void end(String reason) {
    if (hasEnded.compareAndSet(false, true)) {
      onEnd.accept(this, reason);
      dialled.close();
      letGo();
    }
  }

  /** It has ended. */
  abstract void letGo();

  /** Nobody knows anything. */
  static List<Answer> silence(int keys) {
    return Collections.nCopies(keys, new Answer(Outcome.SILENT, null));
  }

  /** A failure in words. */
  static String reason(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  /** Runs something that ends with the process. */
  static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }
}
