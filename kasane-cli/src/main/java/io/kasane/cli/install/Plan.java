/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Steps in the order in which they are safe: whoever is interrupted between two of them, and starts
 * the node, gets the node as it was, or a refusal, never one that uses the fast disk without
 * Kasane.
 *
 * @param steps to take
 */
record Plan(List<Step> steps) {
  Plan {
    steps = List.copyOf(steps);
  }

  /** What is still to be changed; empty if nothing is. */
  String shown() {
    return steps.stream().map(Step::shown).collect(Collectors.joining());
  }

  boolean isDone() {
    return shown().isBlank();
  }

  void run() {
    for (Step step : steps) {
      try {
        if (!step.shown().isBlank()) {
          step.run();
        }
      } catch (IOException e) {
        throw new NodeException(
            "stopped at "
                + e
                + ". What was done so far is safe; run the same command again once that is mended",
            e);
      }
    }
  }
}
