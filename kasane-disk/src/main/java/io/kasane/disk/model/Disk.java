/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk.model;

/** A disk as a function of time. Not safe for use by several threads at once. */
public interface Disk {
  /**
   * Queues a request and returns when it will be done.
   *
   * @param now when it comes, in nanoseconds of any clock; requests that come at nearly the same
   *     time may be told in another order, and are served in the order told
   */
  long submit(Request request, long now);

  /** Returns how long the disk (the mean of its channels) has worked so far, in nanoseconds. */
  long busyNanos();
}
