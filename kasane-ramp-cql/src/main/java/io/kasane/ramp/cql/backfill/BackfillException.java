/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import io.kasane.ramp.protocol.RampException;

/** A backfill cannot begin or go on. What was copied so far stays, and its progress is kept. */
public class BackfillException extends RampException {
  private static final long serialVersionUID = 1;

  /** With the reason for users. */
  public BackfillException(String message, Throwable cause) {
    super(message, cause);
  }

  /** With the reason for users. */
  public BackfillException(String message) {
    super(message);
  }
}
