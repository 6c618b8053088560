/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

/**
 * What clients do; keys are drawn uniformly.
 *
 * @param keys how many there are
 * @param valueBytes of each, stamps aside
 * @param arenaShare of the keys that have room in an arena, 0 to 1
 * @param size keys of a transaction
 * @param readShare of the transactions, 0 to 1
 */
record Shape(int keys, int valueBytes, double arenaShare, int size, double readShare) {
  Shape withSize(int other) {
    return new Shape(keys, valueBytes, arenaShare, other, readShare);
  }

  Shape withReadShare(double other) {
    return new Shape(keys, valueBytes, arenaShare, size, other);
  }

  Shape withArenaShare(double other) {
    return new Shape(keys, valueBytes, other, size, readShare);
  }

  /** What servers must be like; shapes that agree in it share them. */
  Kind kind() {
    return new Kind(keys, valueBytes, arenaShare);
  }

  /** Servers. */
  record Kind(int keys, int valueBytes, double arenaShare) {}

  String describe() {
    return "%d of %,d keys of %,d bytes, %.0f %% reads%s"
        .formatted(
            size,
            keys,
            valueBytes,
            readShare * 100,
            arenaShare == 1 ? "" : ", slots for %.0f %% of the keys".formatted(arenaShare * 100));
  }
}
