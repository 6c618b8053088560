/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

/** How many replicas must answer a read. */
public enum Strength {
  /** As many as the user chose for the first round, one at least: what it shows may be old. */
  FIRST_ROUND,
  /** So many that one of them has what was prepared. */
  QUORUM,
  /** All replicas. */
  ALL
}
