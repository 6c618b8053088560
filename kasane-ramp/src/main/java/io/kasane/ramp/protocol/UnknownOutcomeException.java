/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The transaction may be seen now or later, or never: its commit was sent and not acknowledged. */
public final class UnknownOutcomeException extends UnfinishedPutException {
  private static final long serialVersionUID = 1;

  /** With what repeats the transaction. */
  public UnknownOutcomeException(
      Timestamp timestamp, Throwable cause, Supplier<CompletionStage<Timestamp>> retry) {
    super("of unknown outcome: its commit was sent and not acknowledged", timestamp, cause, retry);
  }
}
