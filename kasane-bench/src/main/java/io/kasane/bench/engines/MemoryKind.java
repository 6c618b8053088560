/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

/** Whether memory holds all data. */
enum MemoryKind {
  /** The page cache has room for all of it. */
  FITS("fits"),

  /** The page cache has room for a part. */
  BEYOND("beyond");

  private final String label;

  MemoryKind(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
