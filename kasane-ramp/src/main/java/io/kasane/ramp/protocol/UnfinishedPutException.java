/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A put that did not come to its end. To try again is to call {@link #retryAsync}: another put
 * could overwrite somebody who built on this one.
 */
public abstract sealed class UnfinishedPutException extends RampException
    permits NotCommittedException, UnknownOutcomeException {
  private static final long serialVersionUID = 1;

  private final Timestamp timestamp;
  private final transient Supplier<CompletionStage<Timestamp>> retry;

  UnfinishedPutException(
      String outcome,
      Timestamp timestamp,
      Throwable cause,
      Supplier<CompletionStage<Timestamp>> retry) {
    super(
        "transaction "
            + timestamp
            + " is "
            + outcome
            + " ("
            + cause.getMessage()
            + "); retrying the exception repeats it",
        cause);
    this.timestamp = timestamp;
    this.retry = retry;
  }

  /** The transaction. */
  public final Timestamp timestamp() {
    return timestamp;
  }

  /**
   * Repeats the transaction from the beginning, with the same timestamp and bytes; but of one that
   * is not committed with a higher timestamp where it met something newer.
   */
  public final CompletionStage<Timestamp> retryAsync() {
    return retry.get();
  }
}
