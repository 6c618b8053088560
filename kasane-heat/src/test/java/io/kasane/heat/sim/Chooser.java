/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

/** Whoever says which keys are hot while accesses go by: a tracker with a policy, or an oracle. */
public interface Chooser {
  /** Takes note of one access. */
  void record(int key);

  /** Chooses the keys that are hot until the next choice, from what was seen so far. */
  void choose();

  /** Whether the last choice made this key hot; false before the first. */
  boolean isHot(int key);

  /** Keys that the last choice made hot. */
  long hotKeys();
}
