/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

/** The store could not do what was asked for: too few replicas answered in time, or it refused. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With the reason for users. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
