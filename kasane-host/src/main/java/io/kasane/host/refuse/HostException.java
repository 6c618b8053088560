/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

/**
 * A setting or a state of the node under which Kasane must not run. The message is for operators.
 */
public final class HostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the setting, the value seen, the bound and the way out
   */
  public HostException(String message) {
    super(message);
  }

  public HostException(String message, Throwable cause) {
    super(message, cause);
  }
}
