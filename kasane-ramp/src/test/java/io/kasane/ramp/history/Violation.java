/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

/**
 * An anomaly that was found.
 *
 * @param anomaly which
 * @param transaction the one that saw it, or whose write is lost or beaten
 * @param key where it shows
 * @param detail in words
 */
public record Violation(Anomaly anomaly, long transaction, long key, String detail) {
  @Override
  public String toString() {
    return anomaly + " in transaction " + transaction + ", key " + key + ": " + detail;
  }
}
