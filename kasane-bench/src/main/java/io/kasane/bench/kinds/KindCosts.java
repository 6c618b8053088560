/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

/**
 * What an operation on one replica takes of a node's time.
 *
 * @param readSeconds of a read
 * @param writeSeconds of a write
 */
record KindCosts(double readSeconds, double writeSeconds) {
  private static final double NODES = 3;
  private static final double QUORUM = 2;

  /**
   * As three nodes of one kind show it, of which each has all rows: a read at {@code QUORUM} is
   * made by two of them, a write by all.
   *
   * @param reads what they sustain of reads alone, a second
   * @param writes what they sustain of writes alone, a second
   */
  static KindCosts ofCluster(double reads, double writes) {
    return new KindCosts(NODES / (QUORUM * reads), 1 / writes);
  }

  /**
   * The same, with reads as they are beside writes, which leave them more SSTables to look into: so
   * that a mix of this load takes what it takes, with writes as they are alone.
   *
   * @param readShare of all operations, above 0 and below 1
   * @param operations what they sustain of that mix, a second
   */
  KindCosts withReadsOf(double readShare, double operations) {
    double left = 1 / operations - (1 - readShare) * writeSeconds;
    double read = left * NODES / (QUORUM * readShare);
    return new KindCosts(Math.max(readSeconds, read), writeSeconds);
  }

  /**
   * Returns how many of all reads a node can make, from 0 to 1, at a load of operations a second.
   */
  double readsItCanMake(double operationsPerSecond, double readShare) {
    double free = 1 - (1 - readShare) * operationsPerSecond * writeSeconds;
    double allReads = readShare * operationsPerSecond * readSeconds;
    return free <= 0 ? 0 : allReads <= free ? 1 : free / allReads;
  }
}
