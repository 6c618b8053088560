/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.PrintWriter;
import java.time.Duration;

/** A demonstration that another jar adds to {@code kasane demo}. */
public interface DemoExtension {
  /** The option that chooses it, less its dashes. */
  String name();

  /**
   * Starts what it needs, shows it and takes it away again.
   *
   * @param duration how long the load runs
   * @return the exit code: 0 if it showed what it claims
   */
  int run(Distribution distribution, Duration duration, PrintWriter out)
      throws InterruptedException;
}
