/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A put, from its first try on. All handles of it share this: whichever is used, and however often,
 * it is one transaction, tried by one at a time and committed once. Thread-safe.
 */
public final class PendingPut {
  private final Writes how;
  private final SortedMap<ItemKey, Optional<Bytes>> writes;
  private final Siblings siblings;
  private final Supplier<CompletionStage<Timestamp>> floor;
  private final Consumer<Timestamp> acknowledged;
  private List<Write> versions;
  private long begunNanos;
  private boolean mayMove;
  private CompletableFuture<Timestamp> outcome;
  private Timestamp committed;

  /**
   * A put that has not begun.
   *
   * @param floor what it must be above, asked at the beginning of each try that may still move
   * @param mayMove whether its timestamp may still change
   * @param acknowledged told the timestamp when all later reads see the versions
   */
  PendingPut(
      Writes how,
      Map<ItemKey, Optional<Bytes>> writes,
      Siblings siblings,
      Supplier<CompletionStage<Timestamp>> floor,
      Timestamp timestamp,
      boolean mayMove,
      Consumer<Timestamp> acknowledged) {
    this.how = how;
    this.writes = new TreeMap<>(writes);
    this.siblings = siblings;
    this.floor = floor;
    this.mayMove = mayMove;
    this.acknowledged = acknowledged;
    this.versions = at(timestamp);
    this.begunNanos = how.now();
  }

  /** The transaction's timestamp, as it is by now: it may still move while nobody can see it. */
  public synchronized Timestamp timestamp() {
    return versions.get(0).version().timestamp();
  }

  /**
   * What comes of the try that is under way, or came of the last one: the transaction's timestamp,
   * or a failure as of {@link RampClient#put}.
   */
  public synchronized CompletionStage<Timestamp> outcome() {
    return Futures.view(outcome);
  }

  /**
   * The failure of somebody who stops waiting; the put goes on. To retry it is to wait again for
   * the try under way, or to begin another one where that has failed by then.
   */
  public UnknownOutcomeException abandoned(Throwable why) {
    return new UnknownOutcomeException(this, why);
  }

  /** Waits for the try under way, or begins one unless the put is acknowledged. */
  CompletionStage<Timestamp> run() {
    CompletableFuture<Timestamp> mine = new CompletableFuture<>();
    synchronized (this) {
      if (committed != null) {
        return CompletableFuture.completedStage(committed);
      }
      if (outcome != null && !outcome.isCompletedExceptionally()) {
        return outcome();
      }
      outcome = mine;
    }
    how.attempt(this, mine);
    return Futures.view(mine);
  }

  SortedSet<ItemKey> keys() {
    return new TreeSet<>(writes.keySet());
  }

  CompletionStage<Timestamp> floor() {
    return floor.get();
  }

  /** What the next try begins with. */
  synchronized List<Write> versions() {
    return versions;
  }

  /** The versions, with a timestamp. */
  List<Write> at(Timestamp timestamp) {
    List<Write> at = new ArrayList<>();
    writes.forEach((key, value) -> at.add(new Write(key, new Version(timestamp, siblings, value))));
    return List.copyOf(at);
  }

  /** Whether nothing of it can have been committed, so that its timestamp may change. */
  synchronized boolean mayMove() {
    return mayMove;
  }

  /** When it got the first of its timestamps, on the monotonic clock. */
  synchronized long begunNanos() {
    return begunNanos;
  }

  /** Begins anew, with a timestamp of now. */
  synchronized void restart(Timestamp timestamp, long nowNanos) {
    versions = at(timestamp);
    begunNanos = nowNanos;
  }

  /** A try ended before it committed these. */
  synchronized void tried(List<Write> last) {
    versions = last;
  }

  /** These are about to be committed: from now on there are no others. */
  synchronized void commits(List<Write> last) {
    versions = last;
    mayMove = false;
  }

  /** A commit was acknowledged, though whoever waited for it may have been told otherwise. */
  void acknowledged(Timestamp timestamp) {
    synchronized (this) {
      committed = timestamp;
    }
    acknowledged.accept(timestamp);
  }
}
