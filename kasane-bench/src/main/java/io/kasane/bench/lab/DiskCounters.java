/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/**
 * What a disk has done; NaN where nobody can tell.
 *
 * @param clientReads read requests on behalf of clients' reads; all read requests where a rig
 *     cannot tell them apart
 * @param clientMemoryReads reads on behalf of clients' reads that memory served
 * @param writtenBytes by anyone
 * @param compactionWrittenBytes by compaction
 * @param busyNanos how long it worked
 */
public record DiskCounters(
    double clientReads,
    double clientMemoryReads,
    double writtenBytes,
    double compactionWrittenBytes,
    double busyNanos) {
  /** Nothing. */
  public static final DiskCounters NONE = new DiskCounters(0, 0, 0, 0, 0);

  /** Nobody can tell. */
  public static final DiskCounters UNKNOWN =
      new DiskCounters(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /** Returns what two disks did together. */
  public DiskCounters plus(DiskCounters other) {
    return new DiskCounters(
        clientReads + other.clientReads,
        clientMemoryReads + other.clientMemoryReads,
        writtenBytes + other.writtenBytes,
        compactionWrittenBytes + other.compactionWrittenBytes,
        busyNanos + other.busyNanos);
  }

  /** Returns what was done since an earlier moment. */
  public DiskCounters since(DiskCounters before) {
    return new DiskCounters(
        clientReads - before.clientReads,
        clientMemoryReads - before.clientMemoryReads,
        writtenBytes - before.writtenBytes,
        compactionWrittenBytes - before.compactionWrittenBytes,
        busyNanos - before.busyNanos);
  }
}
