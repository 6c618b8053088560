/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/** The transaction is not committed, and nobody has seen any of it. */
public final class NotCommittedException extends UnfinishedPutException {
  private static final long serialVersionUID = 1;

  /** Of that put. */
  NotCommittedException(PendingPut put, Throwable cause) {
    super("not committed: its versions could not be prepared everywhere", put, cause);
  }
}
