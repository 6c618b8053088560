/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Keeps versions of keys, replicated. Each key has prepared versions, by timestamp, which nobody
 * reads unless he asks for them by timestamp, and at most one committed version, whole, which is
 * always the highest that was committed.
 *
 * <p>All methods return at once. They send what concerns several keys in parallel, and answer in
 * the order of the questions. What fails fails with a {@link StoreException}; a write that failed
 * may have reached any of the replicas, and may still reach more. Thread-safe.
 */
public interface VersionStore {
  /**
   * Whether reads of that strength see all that was committed, and what they show as committed
   * stays: by the time that they answer, it is at so many replicas that every later read with
   * {@link Strength#QUORUM}, by any client, shows it or a higher version. Always the same for the
   * same strength.
   */
  boolean isQuorum(Strength strength);

  /** The committed version of each key. */
  CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength);

  /**
   * The highest timestamp of the keys' committed versions, {@link Timestamp#NONE} where none has
   * one; or, where the store does not look so closely, one above it in the same microsecond. For
   * who needs no more than that, since it may cost less than {@link #readCommitted}.
   */
  default CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, Strength strength) {
    return readCommitted(keys, strength)
        .thenApply(
            answers -> {
              int missed = answers.indexOf(new Answer.Miss());
              if (missed >= 0) {
                throw StoreException.unknown(keys.get(missed));
              }
              return answers.stream().map(Answer::marker).reduce(Timestamp.NONE, Timestamp::max);
            });
  }

  /**
   * Marker and candidates of each key, each key's in one look: a replica answers with what it held
   * at one moment.
   */
  CompletionStage<List<Candidates>> readCandidates(List<CandidateQuery> queries, Strength strength);

  /**
   * The committed versions of items of a partition, as many as are wanted. Deletions may be among
   * them, or left out: who needs one asks for its key. Items of a range are not read in one look.
   */
  CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength);

  /**
   * Stores versions without showing them. Done when each is at so many replicas that every read
   * with {@link Strength#QUORUM} meets one of them. May be repeated.
   */
  CompletionStage<Void> prepare(Collection<Write> writes);

  /**
   * Makes each the committed version of its key unless that is higher already. Done when all later
   * reads with {@link Strength#QUORUM} see it or a higher one. May be repeated.
   */
  CompletionStage<Void> commit(Collection<Write> writes);

  /**
   * Deletes the prepared versions of a key up to the timestamp of a committed one. A replica that
   * deletes them has that committed version from the same moment on, or a higher one.
   *
   * @param committed a version that was committed with {@link #commit}
   */
  CompletionStage<Void> collect(Write committed);

  /** The first step of a sweep: from now on commits are kept apart from what was there before. */
  CompletionStage<Void> openSweep(String table, Bytes partition);

  /**
   * The second step of a sweep, at least a window of garbage collection later, by the same client.
   * Takes deletions out of what {@link #readItems} goes through, where it can; they stay where
   * {@link #readCommitted} and {@link #readCandidates} find them. Fails if it comes too early, and
   * may be left out.
   */
  CompletionStage<Void> sweep(String table, Bytes partition);

  /**
   * Forgets a key whose committed version is a deletion, with all that is not above it.
   *
   * @param deletion the timestamp of that version
   */
  CompletionStage<Void> purge(ItemKey key, Timestamp deletion);

  /**
   * Deletes one prepared version of a key, which was never committed and never will be. Done when
   * no read with {@link Strength#QUORUM} shows it any more. May be repeated.
   */
  CompletionStage<Void> drop(ItemKey key, Timestamp prepared);
}
