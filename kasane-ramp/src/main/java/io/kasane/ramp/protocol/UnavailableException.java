/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.StoreException;

/** Too few replicas answered before the deadline. The same call may succeed later. */
public class UnavailableException extends RampException {
  private static final long serialVersionUID = 1;

  /** With the reason for users. */
  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /** With the reason for users. */
  public UnavailableException(String message) {
    super(message);
  }

  /** Nobody can say what is committed of some keys, though enough were asked. */
  static UnavailableException unknown(Object keys) {
    return new UnavailableException(StoreException.unknown(keys).getMessage());
  }
}
