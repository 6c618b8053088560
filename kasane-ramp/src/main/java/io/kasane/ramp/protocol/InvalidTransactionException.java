/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/** A transaction that no store will ever take: over a limit, or empty. Nothing was written. */
public class InvalidTransactionException extends RampException {
  private static final long serialVersionUID = 1;

  /** With the limit, what was seen, and the way out. */
  public InvalidTransactionException(String message) {
    super(message);
  }
}
