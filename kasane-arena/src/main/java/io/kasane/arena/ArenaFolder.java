/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The arenas in a node's directory, opened when they are there and watched: their node may start
 * anew, and their tables may be made anew. Thread-safe.
 */
public final class ArenaFolder implements AutoCloseable {
  private static final long LOOK_MILLIS = 50;

  private final Path directory;
  private final Map<String, Optional<UUID>> wanted = new ConcurrentHashMap<>();
  private final Map<String, ArenaReader> readers = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          run -> {
            Thread thread = new Thread(run, "kasane-arena-reader");
            thread.setDaemon(true);
            return thread;
          });

  /** Watches none yet. */
  public ArenaFolder(Path directory) {
    this.directory = directory;
    ScheduledFuture<?> unused =
        looks.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Watches the arena of a table from now on.
   *
   * @param table keyspace and name: {@code shop.carts}
   * @param id of the table, as it was made last
   */
  public void watch(String table, UUID id) {
    wanted.put(table, Optional.of(id));
  }

  /** The same, of whichever table of that name there is. */
  public void watchAny(String table) {
    wanted.putIfAbsent(table, Optional.empty());
  }

  /** Returns the arena of a table; null if there is none. */
  public ArenaReader of(String table) {
    return readers.get(table);
  }

  private void look() {
    wanted.forEach(
        (table, id) -> {
          ArenaReader known = readers.get(table);
          if (known == null || known.isDead()) {
            reopen(table, id);
          } else {
            known.look();
          }
        });
  }

  private void reopen(String table, Optional<UUID> id) {
    ArenaReader old = readers.remove(table);
    if (old != null) {
      old.close();
    }
    try {
      Path file = directory.resolve(table + ".arena");
      readers.put(
          table, id.isPresent() ? ArenaReader.open(file, id.get()) : ArenaReader.openAny(file));
    } catch (IOException | RuntimeException e) {
      // There is none yet, or none that may be read: reads go by CQL.
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
    wanted.clear();
    readers.values().forEach(ArenaReader::close);
    readers.clear();
  }
}
