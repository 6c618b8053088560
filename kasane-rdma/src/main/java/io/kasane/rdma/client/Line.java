/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What requests go over, until it ends. Thread-safe. */
interface Line {
  /** Returns what was found of each key; all are silent if it ends before. */
  CompletionStage<List<Answer>> ask(List<ArenaKey> keys);

  /** Whether somebody waits for longer than he is to. */
  boolean isLate();

  /** When another token is needed. */
  Instant expires();

  /** Whether it has ended. */
  boolean hasEnded();

  /** Ends it, unless it has ended; whoever waits is answered. */
  void end(String reason);

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
