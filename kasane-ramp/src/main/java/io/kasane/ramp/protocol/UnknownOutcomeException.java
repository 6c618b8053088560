/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/** The transaction may be seen now or later, or never: its commit was sent and not acknowledged. */
public final class UnknownOutcomeException extends UnfinishedPutException {
  private static final long serialVersionUID = 1;

  /** Of that put. */
  UnknownOutcomeException(PendingPut put, Throwable cause) {
    super("of unknown outcome: its commit was sent and not acknowledged", put, cause);
  }
}
