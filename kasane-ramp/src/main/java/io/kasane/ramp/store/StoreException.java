/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

/** The store could not do what was asked for: too few replicas answered in time, or it refused. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With the reason for users. */
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Nobody can say what is committed of some keys, though enough were asked. */
  public static StoreException unknown(Object keys) {
    return new StoreException(
        "what is committed of "
            + keys
            + " cannot be told: its bytes are damaged. Repair the table; if that does not help, put"
            + " new values of the keys, of items of collections with checkMarkers off",
        null);
  }
}
