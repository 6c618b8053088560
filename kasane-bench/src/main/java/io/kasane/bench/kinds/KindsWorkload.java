/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.load.Mix;

/** What clients do, in YCSB's words; updates first, so that reads meet a table that has aged. */
enum KindsWorkload {
  WRITE_ONLY("write-only", 0),
  WRITE_HEAVY("write-heavy", 0.5),
  READ_HEAVY("read-heavy", 0.95),
  READ_ONLY("read-only", 1);

  private final String label;
  private final double readShare;

  KindsWorkload(String label, double readShare) {
    this.label = label;
    this.readShare = readShare;
  }

  String label() {
    return label;
  }

  Mix mix() {
    return Mix.constant(readShare);
  }
}
