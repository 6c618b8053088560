/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds up the files below a fast directory all the time and takes note when they are more than a
 * limit. A file that vanished before the end of a walk does not count in it: what is left was there
 * all at once, so a sum over the limit is one that truly was.
 */
final class QuotaSampler implements AutoCloseable {
  private static final long PAUSE_MILLIS = 10;
  private static final int MAX_NOTES = 20;

  private final Path fast;
  private final long nodeLimit;
  private final Map<String, Long> tableLimits;
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Map<String, AtomicLong> peaks = new HashMap<>();
  private final AtomicLong walks = new AtomicLong();
  private final Thread thread = new Thread(this::run, "quota-sampler");
  private volatile boolean stopped;

  /**
   * @param tableLimits limits by {@code keyspace.table}
   */
  QuotaSampler(Path fast, long nodeLimit, Map<String, Long> tableLimits) {
    this.fast = fast;
    this.nodeLimit = nodeLimit;
    this.tableLimits = Map.copyOf(tableLimits);
    peaks.put("", new AtomicLong());
    tableLimits.keySet().forEach(table -> peaks.put(table, new AtomicLong()));
    thread.setDaemon(true);
    thread.start();
  }

  List<String> violations() {
    return violations;
  }

  /** The most bytes that were seen at once, of all tables. */
  long peakBytes() {
    return peaks.get("").get();
  }

  long peakBytes(String table) {
    return peaks.get(table).get();
  }

  long walks() {
    return walks.get();
  }

  private void run() {
    while (!stopped) {
      try {
        sample();
        Thread.sleep(PAUSE_MILLIS);
      } catch (IOException e) {
        note("could not walk " + fast + ": " + e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void sample() throws IOException {
    Map<Path, BasicFileAttributes> files = new HashMap<>();
    Files.walkFileTree(
        fast,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.put(file, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    walks.incrementAndGet();
    if (sum(files, "") > nodeLimit
        || tableLimits.keySet().stream().anyMatch(t -> sum(files, t) > tableLimits.get(t))) {
      files.keySet().removeIf(file -> !Files.exists(file));
    }
    check(files, "", nodeLimit);
    tableLimits.forEach((table, limit) -> check(files, table, limit));
  }

  private void check(Map<Path, BasicFileAttributes> files, String table, long limit) {
    long sum = sum(files, table);
    peaks.get(table).accumulateAndGet(sum, Math::max);
    if (sum > limit) {
      note(
          (table.isEmpty() ? "node" : table)
              + ": "
              + sum
              + " bytes, limit "
              + limit
              + " "
              + files.keySet().stream().map(f -> fast.relativize(f).toString()).sorted().toList());
    }
  }

  private long sum(Map<Path, BasicFileAttributes> files, String table) {
    Map<Object, Long> byInode = new HashMap<>();
    files.forEach(
        (file, attributes) -> {
          if (belongs(file, table)) {
            byInode.put(attributes.fileKey(), attributes.size());
          }
        });
    return byInode.values().stream().mapToLong(Long::longValue).sum();
  }

  private boolean belongs(Path file, String table) {
    if (table.isEmpty()) {
      return true;
    }
    String prefix = table.replace('.', '/') + "-";
    return fast.relativize(file).toString().startsWith(prefix);
  }

  private void note(String violation) {
    if (violations.size() < MAX_NOTES) {
      violations.add(violation);
    }
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }
}
