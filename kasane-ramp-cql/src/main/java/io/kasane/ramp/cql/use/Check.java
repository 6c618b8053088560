/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

/**
 * What was found where rows and their entries were compared.
 *
 * @param rows how many rows there are
 * @param missing how many entries their rows say there are, and are not: look-ups miss those rows
 * @param stale how many entries have no such row any more: look-ups pass over them
 * @param unreadable how many rows cannot be read, since a part of their transaction was lost
 */
public record Check(long rows, long missing, long stale, long unreadable) {
  /** Whether look-ups find all rows. */
  public boolean isComplete() {
    return missing == 0 && unreadable == 0;
  }
}
