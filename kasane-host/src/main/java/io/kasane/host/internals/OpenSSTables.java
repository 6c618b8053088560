/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.internals;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSTables that somebody in this process has a reference to, whether a table has them or not.
 * Cassandra keeps them by descriptor, in a map of its own. Thread-safe.
 */
public final class OpenSSTables {
  private static final Logger logger = LoggerFactory.getLogger(OpenSSTables.class);
  private static final Optional<Map<?, ?>> LOOKUP = lookup();

  private OpenSSTables() {}

  /** Whether anybody may read an SSTable; yes if this Cassandra does not tell. */
  public static boolean mayContain(Descriptor sstable) {
    return LOOKUP.isEmpty() || LOOKUP.get().containsKey(sstable);
  }

  private static Optional<Map<?, ?>> lookup() {
    try {
      Field lookup =
          Class.forName(SSTableReader.class.getName() + "$GlobalTidy").getDeclaredField("lookup");
      lookup.setAccessible(true);
      return Optional.of((Map<?, ?>) lookup.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      logger.warn(
          "This Cassandra does not tell which SSTables are open: what repairs and streams leave"
              + " over of tables on storage engines stays until the next start: {}",
          e.toString());
      return Optional.empty();
    }
  }
}
