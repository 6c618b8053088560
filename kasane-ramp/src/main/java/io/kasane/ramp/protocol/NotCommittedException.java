/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The transaction is not committed, and nobody has seen any of it. */
public final class NotCommittedException extends UnfinishedPutException {
  private static final long serialVersionUID = 1;

  /** With what repeats the transaction. */
  public NotCommittedException(
      Timestamp timestamp, Throwable cause, Supplier<CompletionStage<Timestamp>> retry) {
    super("not committed: its versions could not be prepared everywhere", timestamp, cause, retry);
  }
}
