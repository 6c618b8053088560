/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.util.concurrent.CompletionStage;

/** Gets of a session, each within a deadline that the caller set. Thread-safe. */
final class Gets {
  private final Reads reads;
  private final Sessions sessions;
  private final HybridLogicalClock clock;
  private final Purger purger;

  Gets(Reads reads, Sessions sessions, HybridLogicalClock clock, Purger purger) {
    this.reads = reads;
    this.sessions = sessions;
    this.clock = clock;
    this.purger = purger;
  }

  /** Sees what is wanted together with what was gathered; the result has what is wanted only. */
  CompletionStage<ReadResult> get(
      Gathered gathered, ReadSet wanted, Session session, Deadlines.Expiry expiry) {
    return sessions
        .room(session)
        .thenCompose(
            nothing -> {
              sessions.hold(session, wanted, gathered);
              return reads.run(gathered, wanted, sessions.firstRound(session), expiry);
            })
        .thenApply(
            rounds -> {
              gathered.chosen().values().forEach(version -> clock.observe(version.timestamp()));
              gathered.chosen().forEach(purger::seen);
              sessions.saw(session, gathered);
              return new ReadResult(gathered.seen(), gathered.nexts(), rounds).only(wanted);
            });
  }
}
