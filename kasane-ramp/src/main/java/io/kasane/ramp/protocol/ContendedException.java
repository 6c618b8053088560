/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/** Others wrote the same keys faster than this call could read them. It may be tried again. */
public class ContendedException extends RampException {
  private static final long serialVersionUID = 1;

  private final int rounds;

  /**
   * With what was tried.
   *
   * @param rounds how many times
   */
  public ContendedException(String message, int rounds) {
    super(message);
    this.rounds = rounds;
  }

  /** How many rounds were tried. */
  public int rounds() {
    return rounds;
  }
}
