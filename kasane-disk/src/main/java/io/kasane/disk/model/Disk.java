/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

/** A disk as a function of time. Not safe for use by several threads at once. */
public interface Disk {
  /**
   * Queues a request and returns when it will be done.
   *
   * @param now the present, in nanoseconds of any clock that does not go back; a call must not lie
   *     before an earlier one
   */
  long submit(Request request, long now);

  /** Returns how long the disk (the mean of its channels) has worked so far, in nanoseconds. */
  long busyNanos();
}
