/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.nio.file.Path;

/**
 * A history of all processes, in two files.
 *
 * @param operations what isolation checkers read: an {@link Operation} a line, the lines of one
 *     transaction together, those of one session in their order
 * @param transactions what they do not ask for, and {@link HistoryChecker} does, a line a fact:
 *     {@code t txn micros client} (the timestamp of a transaction), {@code a txn began ended} (in
 *     nanoseconds, of an acknowledged one), {@code d txn key} (it deleted that key) and {@code q
 *     txn} (it read when all was at rest)
 */
public record History(Path operations, Path transactions) {
  /** The two files of that name, with the endings {@code .txt} and {@code .ramp}. */
  public static History in(Path folder, String name) {
    return new History(folder.resolve(name + ".txt"), folder.resolve(name + ".ramp"));
  }
}
