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
 * @param clients threads, each with one transaction at a time
 */
record Shape(int keys, int valueBytes, int size, double readShare, String law, int clients) {
  Shape withSize(int other) {
    return new Shape(keys, valueBytes, other, readShare, law, clients);
  }

  Shape withReadShare(double other) {
    return new Shape(keys, valueBytes, size, other, law, clients);
  }

  Shape withLaw(String other) {
    return new Shape(keys, valueBytes, size, readShare, other, clients);
  }

  Shape withValueBytes(int other) {
    return new Shape(keys, other, size, readShare, law, clients);
  }

  Shape withClients(int other) {
    return new Shape(keys, valueBytes, size, readShare, law, other);
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
    return "%d of %,d keys of %,d bytes, %.0f %% reads, %s, %d client%s"
        .formatted(size, keys, valueBytes, readShare * 100, law, clients, clients == 1 ? "" : "s");
  }
}
