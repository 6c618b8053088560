/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.concurrent.CompletionStage;

/**
 * A put that did not come to its end. To try again is to call {@link #retryAsync}: another put
 * could overwrite somebody who built on this one.
 */
public abstract sealed class UnfinishedPutException extends RampException
    permits NotCommittedException, UnknownOutcomeException {
  private static final long serialVersionUID = 1;

  private final Timestamp timestamp;
  private final transient PendingPut put;

  UnfinishedPutException(String outcome, PendingPut put, Throwable cause) {
    super(
        "transaction "
            + put.timestamp()
            + " is "
            + outcome
            + " ("
            + cause.getMessage()
            + "); retrying the exception repeats it",
        cause);
    this.timestamp = put.timestamp();
    this.put = put;
  }

  /** The transaction. */
  public final Timestamp timestamp() {
    return timestamp;
  }

  /**
   * Repeats the transaction from the beginning, with the same timestamp and bytes; but of one that
   * is not committed with a higher timestamp where it met something newer, or is retried late. All
   * exceptions of one put share what came of it, so it does not matter which is retried, how often,
   * or by whom: an older one of a put that was committed since gives its timestamp.
   *
   * <p>One whose commit was sent is not repeated later than {@code gcGrace} after it began, but
   * refused with a {@link RampException}: what was left of it may have been cleared.
   */
  public final CompletionStage<Timestamp> retryAsync() {
    return put.run();
  }

  /** The put that all its exceptions share. */
  public final PendingPut pending() {
    return put;
  }
}
