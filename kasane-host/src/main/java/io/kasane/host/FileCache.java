/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.util.Optional;
import org.apache.cassandra.cache.ChunkCache;

/**
 * What Cassandra's own cache of file chunks has seen since the node started, all tables together.
 * It is off unless {@code file_cache_enabled} is set; the kernel's page cache cannot be asked.
 */
public final class FileCache {
  private FileCache() {}

  /**
   * Counts since the node started.
   *
   * @param requests chunks that somebody wanted
   * @param hits those that were in memory
   */
  public record Counts(long requests, long hits) {}

  /** Returns the counts; empty if the cache is off. */
  public static Optional<Counts> counts() {
    ChunkCache cache = ChunkCache.instance;
    return cache == null
        ? Optional.empty()
        : Optional.of(new Counts(cache.metrics.requests.getCount(), cache.metrics.hits.getCount()));
  }
}
