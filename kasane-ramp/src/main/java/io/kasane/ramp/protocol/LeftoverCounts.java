/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.util.Optional;

/**
 * What was done with what clients that died had left.
 *
 * @param collected prepared versions that something newer had replaced, deleted
 * @param purged deleted keys forgotten
 * @param completed transactions that were committed in part, completed
 * @param dropped transactions that were never committed, dropped
 * @param young transactions left since their clients may still commit them
 * @param uncertain what is left since nobody can tell whether it was committed: transactions, and
 *     deletions that may be all that tells of one
 * @param failed questions and writes that the store failed
 * @param firstFailure the first of these in words, if there was one
 */
public record LeftoverCounts(
    long collected,
    long purged,
    long completed,
    long dropped,
    long young,
    long uncertain,
    long failed,
    Optional<String> firstFailure) {}
