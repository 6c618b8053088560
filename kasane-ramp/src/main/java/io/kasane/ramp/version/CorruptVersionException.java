/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

/** Stored bytes are no version: torn, changed, or of a format that this program does not know. */
public class CorruptVersionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With what is wrong with the bytes. */
  public CorruptVersionException(String message) {
    super(message);
  }
}
