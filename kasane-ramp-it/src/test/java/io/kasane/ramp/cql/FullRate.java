/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that writes new keys as fast as they are taken, and says each second what it has come
 * to. For a small heap.
 */
public final class FullRate {
  private static final int AT_ONCE = 64;
  private static final int KEYS_OF_A_PUT = 5;

  private final RampSession session;
  private final RampTable<Long, Long> rows;
  private final RampCollection<Long, Long, Long> items;
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private long number;

  private FullRate(RampSession session) {
    this.session = session;
    this.rows = session.table("rate", Codecs.int64(), Codecs.int64());
    this.items = session.collection("rate_items", Codecs.int64(), Codecs.int64(), Codecs.int64());
  }

  /**
   * With the host and port of a node, its data centre, a keyspace, for how many seconds, and
   * whether it ends before, once something had no room.
   */
  public static void main(String[] arguments) throws Exception {
    InetSocketAddress node = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
    try (CqlSession cql =
            CqlSession.builder().addContactPoint(node).withLocalDatacenter(arguments[2]).build();
        RampSession session = RampSession.open(cql, arguments[3])) {
      new FullRate(session).run(Long.parseLong(arguments[4]), Boolean.parseBoolean(arguments[5]));
    }
    System.exit(0);
  }

  private void run(long seconds, boolean untilDropped) throws InterruptedException {
    long began = System.nanoTime();
    for (long second = 1; second <= seconds; second++) {
      while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(second)) {
        room.acquire();
        put();
      }
      System.out.printf(
          Locale.ROOT,
          "second=%d acknowledged=%d failed=%d heapMiB=%d collected=%d kept=%d dropped=%d%n",
          second,
          acknowledged.get(),
          failed.get(),
          afterCollection() >> 20,
          session.metrics().collected(),
          session.metrics().versionsKept(),
          session.metrics().collectionsDropped());
      if (untilDropped && session.metrics().collectionsDropped() > 0) {
        return;
      }
    }
  }

  /** New keys, and an item that is deleted again by the next one. */
  private void put() {
    RampTransaction put = session.newSession().write();
    for (int key = 0; key < KEYS_OF_A_PUT; key++) {
      put.put(rows, number++, number);
    }
    long collection = number % 1_000;
    put.put(items, collection, number, number);
    put.delete(items, collection, number - 1_000 * KEYS_OF_A_PUT);
    put.commitAsync()
        .whenComplete(
            (timestamp, failure) -> {
              (failure == null ? acknowledged : failed).incrementAndGet();
              room.release();
            });
  }

  /** What was live after the last full garbage collection, or what the old generation has. */
  private static long afterCollection() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
        .mapToLong(
            pool -> {
              MemoryUsage usage = pool.getCollectionUsage();
              return usage == null || usage.getUsed() == 0
                  ? pool.getUsage().getUsed()
                  : usage.getUsed();
            })
        .sum();
  }
}
