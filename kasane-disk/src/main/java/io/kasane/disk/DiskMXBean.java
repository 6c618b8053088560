/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.util.List;
import java.util.Map;

/**
 * What a modelled disk has done, under {@code io.kasane.disk:type=Disk,name=NAME}.
 *
 * <p>The maps have one entry per kind of thread: the name of the thread up to the first character
 * that is no letter, in Cassandra {@code ReadStage}, {@code CompactionExecutor} and so on.
 */
public interface DiskMXBean {
  /** Returns the model and its figures. */
  String getModel();

  /** Returns whether requests take no time. */
  boolean isInstant();

  /**
   * Lets requests take no time, or the disk's: programs can start and warm their memory up before
   * anything is measured. Starts as the system property {@code kasane.disks.instant} says, false
   * without it.
   */
  void setInstant(boolean instant);

  /** Returns how much fits, in bytes. */
  long getCapacityBytes();

  /** Returns how much is stored, in bytes, as of at most a second ago. */
  long getUsedBytes();

  /** Returns how long the disk has worked, in nanoseconds. */
  long getBusyNanos();

  /** Returns the read requests that reached the disk. */
  Map<String, Long> getReads();

  /** Returns the reads that memory served, so that they did not reach the disk. */
  Map<String, Long> getMemoryReads();

  /** Returns the bytes of the read requests, read-ahead included. */
  Map<String, Long> getReadBytes();

  /** Returns the write requests that reached the disk. */
  Map<String, Long> getWrites();

  /** Returns the bytes of these requests. */
  Map<String, Long> getWrittenBytes();

  /** Returns how long threads waited for the disk, in nanoseconds. */
  Map<String, Long> getWaitedNanos();

  /**
   * Lets requests fail: those that match are counted from now on, and from the given one on so many
   * fail. A request that fails does nothing. Several faults may be set.
   *
   * @param requests which kinds, with commas between: READ, WRITE, SYNC, CREATE, DELETE, RENAME
   * @param files a regular expression that matches the whole path of a file relative to the disk's
   *     directory; of a rename the old or the new path
   * @param first the first matching request that fails; 1 is the next
   * @param count how many fail from that on; 0 for none, so that they are counted only; -1 for all
   *     until faults are cleared
   * @param error EIO (the disk is broken) or ENOSPC (it is full)
   * @return the fault's number
   */
  long addFault(String requests, String files, long first, long count, String error);

  /** Lets all requests succeed again, and forgets what faults have counted. */
  void clearFaults();

  /** Returns how many requests have matched a fault, since it was set. */
  long matchedRequests(long fault);

  /** Returns how many of these failed. */
  long failedRequests(long fault);

  /**
   * Returns the first 10,000 requests that matched a fault, in order: {@code WRITE
   * ks/table-id/nb-1-big-Data.db failed}.
   */
  List<String> describeRequests(long fault);
}
