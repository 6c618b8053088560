/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import java.util.random.RandomGenerator;

/** The same work for transactions and for plain CQL. Called by several threads at once. */
interface Contest {
  /**
   * Changes something.
   *
   * @param writer the number of the only thread that changes what it changes here, from 0
   */
  void write(int writer, RandomGenerator random);

  /** Reads something; false if it saw half of a change. */
  boolean readsWhole(RandomGenerator random);
}
