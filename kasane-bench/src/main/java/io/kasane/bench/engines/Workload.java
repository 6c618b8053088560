/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.bench.load.Mix;
import java.util.Arrays;

/** What clients do, in YCSB's words; updates first, so that reads meet a table that has aged. */
public enum Workload {
  UPDATE_ONLY("update-only", 0),
  UPDATE_HEAVY("update-heavy", 0.5),
  READ_HEAVY("read-heavy", 0.95),
  READ_ONLY("read-only", 1);

  private final String label;
  private final double readShare;

  Workload(String label, double readShare) {
    this.label = label;
    this.readShare = readShare;
  }

  /** Returns its name in tables and summaries. */
  public String label() {
    return label;
  }

  /** Returns the workload of this name. */
  public static Workload named(String label) {
    return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst().orElseThrow();
  }

  /** Returns how many of its operations are reads. */
  public Mix mix() {
    return Mix.constant(readShare);
  }

  /** Returns the same as a number, from 0 to 1. */
  public double readShare() {
    return readShare;
  }
}
