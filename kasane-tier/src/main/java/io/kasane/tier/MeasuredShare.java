/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.host.FileCache;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The share k of all accesses that hot rows receive, by how many reads of files miss memory: to
 * merge SSTables that are in memory anyway saves no disk read, but costs as much as any compaction.
 * k is {@value #MOST} while {@value #FULL_MISS_SHARE} or more of the chunks asked for come from
 * disk, and falls with them to 0. Thread-safe.
 *
 * <p>Kawanami, Kawashima and Matsuo left open how k should follow the page cache: theirs was worse
 * than stock where hot SSTables lay in it.
 */
final class MeasuredShare implements DoubleSupplier {
  private static final double MOST = 0.5;
  private static final double FULL_MISS_SHARE = 0.10;
  private static final long ENOUGH_REQUESTS = 2_000;

  private final Supplier<Optional<FileCache.Counts>> cache;
  private FileCache.Counts before = new FileCache.Counts(0, 0);
  private double missShare = 1;

  /**
   * A share that follows a cache.
   *
   * @param cache its counts; empty if it is off: k is then {@value #MOST}
   */
  MeasuredShare(Supplier<Optional<FileCache.Counts>> cache) {
    this.cache = cache;
  }

  @Override
  public synchronized double getAsDouble() {
    cache.get().ifPresent(this::take);
    return MOST * Math.min(1, missShare / FULL_MISS_SHARE);
  }

  private void take(FileCache.Counts now) {
    long requests = now.requests() - before.requests();
    if (requests >= ENOUGH_REQUESTS) {
      long hits = now.hits() - before.hits();
      missShare = 1 - hits / (double) requests;
      before = now;
    }
  }
}
