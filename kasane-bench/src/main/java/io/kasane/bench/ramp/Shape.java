/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

/**
 * What a cell's clients do, whatever the system.
 *
 * @param keys how many there are
 * @param valueBytes of each, stamps aside
 * @param size keys of a transaction
 * @param readShare of the transactions, 0 to 1
 * @param law of the keys, as users type it
 */
record Shape(int keys, int valueBytes, int size, double readShare, String law) {
  Shape withSize(int other) {
    return new Shape(keys, valueBytes, other, readShare, law);
  }

  Shape withReadShare(double other) {
    return new Shape(keys, valueBytes, size, other, law);
  }

  Shape withLaw(String other) {
    return new Shape(keys, valueBytes, size, readShare, other);
  }

  Shape withValueBytes(int other) {
    return new Shape(keys, other, size, readShare, law);
  }

  /** What the table must be like before the run; cells that agree in it share one. */
  Prepared prepared() {
    return new Prepared(keys, valueBytes, size);
  }

  /**
   * A table whose keys were all overwritten.
   *
   * @param size of the transactions that did
   */
  record Prepared(int keys, int valueBytes, int size) {}

  String describe() {
    return "%d of %,d keys of %,d bytes, %.0f %% reads, %s"
        .formatted(size, keys, valueBytes, readShare * 100, law);
  }
}
