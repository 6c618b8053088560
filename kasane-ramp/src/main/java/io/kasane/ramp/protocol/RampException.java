/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/** A get or put was not done. Its kinds say why, and what to do. */
public class RampException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With the reason for users. */
  public RampException(String message, Throwable cause) {
    super(message, cause);
  }

  /** With the reason for users. */
  public RampException(String message) {
    super(message);
  }
}
