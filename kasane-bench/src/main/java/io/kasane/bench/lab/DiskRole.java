/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/** Which of the two disks of a pair. */
public enum DiskRole {
  FAST,
  SLOW;

  /** Returns the name in files and reports. */
  public String label() {
    return this == FAST ? "fast" : "slow";
  }
}
