/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Empties the page cache of a node again and again, so that memory for files is what Cassandra
 * itself caches, as on modelled disks. A limit on memory would have to be right to the megabyte:
 * the heap is a gigabyte, and the cache that is wanted a thousandth of it.
 */
final class PageCacheDrain implements AutoCloseable {
  /** Long enough for read-ahead to be used, too short for a slow disk to fill Cassandra's cache. */
  static final int PERIOD_MILLIS = 100;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread drain = new Thread(work, "page-cache-drain");
            drain.setDaemon(true);
            return drain;
          });

  private final NodeGroup group;
  private volatile IOException failure;

  PageCacheDrain(NodeGroup group) {
    this.group = group;
    var unused =
        thread.scheduleAtFixedRate(
            this::drain, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void drain() {
    try {
      group.emptyPageCache();
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new NodeException("the kernel takes more than 10 s to empty the page cache");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new NodeException(
          "the page cache could not be emptied, so it hid the disks: " + failure, failure);
    }
  }
}
