/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.concurrent.CompletionException;

/** Unwraps what stages fail with. */
final class Failures {
  private Failures() {}

  static Throwable causeOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
