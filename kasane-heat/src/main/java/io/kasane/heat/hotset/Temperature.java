/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

/** What a {@link HotSet} says about one key. */
public enum Temperature {
  /** The key belongs on the fast disk. */
  HOT,
  /** The key belongs on the slow disk. */
  COLD,
  /** Not enough is known: the row stays where it is. */
  UNKNOWN
}
