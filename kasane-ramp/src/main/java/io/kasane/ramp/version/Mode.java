/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

/**
 * What a version says of its siblings, the other keys that its transaction wrote.
 *
 * <p>Source: Bailis et al., Scalable Atomic Visibility with RAMP Transactions, SIGMOD 2014,
 * sections 4.1 to 4.3.
 */
public enum Mode {
  /** All their names: one round, a second one in a race only. */
  FAST,
  /** Nothing: always two rounds. */
  SMALL,
  /** A bloom filter of them: a second round in a race, or where the filter errs. */
  HYBRID
}
