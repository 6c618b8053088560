/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The transaction is not committed, and nobody has seen any of it. To try again is to call {@link
 * #retry}: another put could overwrite somebody who built on this one.
 */
public class NotCommittedException extends RampException {
  private static final long serialVersionUID = 1;

  private final Timestamp timestamp;
  private final transient Supplier<CompletionStage<Timestamp>> retry;

  /** With what repeats the transaction. */
  public NotCommittedException(
      Timestamp timestamp, Throwable cause, Supplier<CompletionStage<Timestamp>> retry) {
    super(
        "transaction "
            + timestamp
            + " is not committed: its versions could not be prepared everywhere ("
            + cause.getMessage()
            + "); retry() repeats it",
        cause);
    this.timestamp = timestamp;
    this.retry = retry;
  }

  /** The transaction. */
  public Timestamp timestamp() {
    return timestamp;
  }

  /** Repeats the transaction from the beginning, with the same timestamp and bytes. */
  public CompletionStage<Timestamp> retry() {
    return retry.get();
  }
}
