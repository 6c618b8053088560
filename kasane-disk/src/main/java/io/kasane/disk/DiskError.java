/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

/** Why a request fails, under the name and in the words of the operating system. */
public enum DiskError {
  /** The disk is broken. */
  EIO("Input/output error"),
  /** The disk is full. */
  ENOSPC("No space left on device");

  private final String reason;

  DiskError(String reason) {
    this.reason = reason;
  }

  /** Returns the operating system's words. */
  String reason() {
    return reason;
  }
}
