/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

/** A failure whose message is meant for the operator: it says what was seen and the way out. */
public final class NodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates a failure with a message an operator can act on. */
  public NodeException(String message) {
    super(message);
  }

  /** Creates a failure with a message an operator can act on and the exception behind it. */
  public NodeException(String message, Throwable cause) {
    super(message, cause);
  }
}
