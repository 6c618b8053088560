/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

/** A transaction got an error or no answer: it counts as neither done nor wrong. */
public final class TransactionFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With what went wrong. */
  public TransactionFailedException(Throwable cause) {
    super(String.valueOf(cause), cause);
  }
}
