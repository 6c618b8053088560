/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/**
 * A live SSTable, and what a purge must know of it besides.
 *
 * @param candidate what every pick knows
 * @param idle whether it may be compacted with all others that are idle
 * @param droppableCells about how many tombstones and expired cells are old enough to go
 * @param cells about how many cells it holds
 * @param minTimestamp the lowest write time in it
 * @param maxTimestamp the highest one
 * @param first its first key
 * @param last its last key
 */
public record PurgeCandidate<T, K extends Comparable<? super K>>(
    Candidate<T> candidate,
    boolean idle,
    double droppableCells,
    double cells,
    long minTimestamp,
    long maxTimestamp,
    K first,
    K last) {

  /** Whether it may hold something that the other's tombstones delete, or is deleted by them. */
  boolean keepsFromPurging(PurgeCandidate<T, K> other) {
    return minTimestamp <= other.maxTimestamp
        && first.compareTo(other.last) <= 0
        && last.compareTo(other.first) >= 0;
  }
}
