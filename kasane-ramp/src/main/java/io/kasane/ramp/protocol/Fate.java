/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Map;

/**
 * What came of a transaction whose client is gone, as all replicas of all its keys say. A replica
 * never goes back: where one shows something older as committed, or what the transaction prepared,
 * it never had the transaction committed. A key that shows neither may have been purged since, and
 * so may one that shows a seed, which comes below whatever was there. Where its versions name other
 * siblings than the one that is judged by, one of them may be forged.
 */
enum Fate {
  /** A key shows it: it is to be completed. */
  COMMITTED,
  /** No key ever showed it. */
  NEVER_COMMITTED,
  /** A key was overwritten, or may have been purged: somebody may have seen it. Or it is forged. */
  UNCERTAIN;

  /**
   * Decides.
   *
   * @param siblings the transaction's keys
   * @param seen what all replicas show of each of them, the transaction's version asked for
   * @param overwrittenIsOver whether a key that was purged was overwritten so long ago that nothing
   *     of those who saw what was before is under way
   */
  static Fate of(
      Timestamp transaction,
      SiblingNames siblings,
      Map<ItemKey, Candidates> seen,
      boolean overwrittenIsOver) {
    boolean certain = true;
    for (ItemKey key : siblings.names()) {
      Candidates candidates = seen.get(key);
      if (candidates.committed() instanceof Answer.Miss) {
        throw UnavailableException.unknown(key);
      }
      Timestamp marker = candidates.committed().marker();
      if (marker.equals(transaction)) {
        return COMMITTED;
      }
      Version prepared = candidates.prepared().get(transaction);
      boolean isBlank = prepared == null && (marker.equals(Timestamp.NONE) || marker.isSeed());
      certain &=
          (prepared == null || prepared.siblings().equals(siblings))
              && !marker.isAfter(transaction)
              && (!isBlank || (overwrittenIsOver && !siblings.deleted().contains(key)));
    }
    return certain ? NEVER_COMMITTED : UNCERTAIN;
  }
}
