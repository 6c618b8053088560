/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/**
 * What a disk has done.
 *
 * @param clientReads read requests on behalf of clients' reads
 * @param writtenBytes by anyone
 * @param compactionWrittenBytes by compaction
 * @param busyNanos how long it worked
 */
public record DiskCounters(
    long clientReads, long writtenBytes, long compactionWrittenBytes, long busyNanos) {
  /** Nothing. */
  public static final DiskCounters NONE = new DiskCounters(0, 0, 0, 0);

  /** Returns what two disks did together. */
  public DiskCounters plus(DiskCounters other) {
    return new DiskCounters(
        clientReads + other.clientReads,
        writtenBytes + other.writtenBytes,
        compactionWrittenBytes + other.compactionWrittenBytes,
        busyNanos + other.busyNanos);
  }

  /** Returns what was done since an earlier moment. */
  public DiskCounters since(DiskCounters before) {
    return new DiskCounters(
        clientReads - before.clientReads,
        writtenBytes - before.writtenBytes,
        compactionWrittenBytes - before.compactionWrittenBytes,
        busyNanos - before.busyNanos);
  }
}
