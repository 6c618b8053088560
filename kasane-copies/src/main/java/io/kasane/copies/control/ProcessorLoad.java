/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import java.util.function.DoubleSupplier;

/** How busy the processors are that this node runs on. Any thread asks. */
public final class ProcessorLoad {
  private final DoubleSupplier recentLoad;
  private volatile double load = -1;

  /**
   * Nothing is known yet.
   *
   * @param recentLoad how much of them was in use since it was asked last, 0 to 1; negative if that
   *     is not known
   */
  public ProcessorLoad(DoubleSupplier recentLoad) {
    this.recentLoad = recentLoad;
  }

  /** To be called about once a second, by one thread: the system tells what was since last time. */
  public void look() {
    load = recentLoad.getAsDouble();
  }

  /** How much of them was in use lately, 0 to 1; negative if unknown. */
  public double load() {
    return load;
  }
}
