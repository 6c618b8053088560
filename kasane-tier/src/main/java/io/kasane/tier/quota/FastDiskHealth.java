/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which fast directories take writes. One that failed a write is given up: whatever would go there
 * goes to slow. It is tried with a small file after a second, and after each failure only after
 * twice that time, five minutes at most; once it takes the file, it is used again. Reads of it go
 * on. Thread-safe.
 */
public final class FastDiskHealth {
  private static final Logger logger = LoggerFactory.getLogger(FastDiskHealth.class);

  /** A disk that hung for a moment costs no more. */
  private static final long MIN_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Whoever has mended it waits no longer. */
  private static final long MAX_REST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final String PROBE = ".kasane-probe"; // no SSTable is named like this

  /** Writes so that the disk must take it. */
  public interface Probe {
    void write(Path directory) throws IOException;
  }

  private final LongSupplier nanoTime;
  private final Probe probe;
  private final Map<Path, Rest> resting = new HashMap<>(); // guarded by this, as what it holds
  private final List<Path> directories;

  private static final class Rest {
    private long restNanos = MIN_REST_NANOS;
    private long triedAtNanos;
    private boolean isGivenUp = true;
  }

  /**
   * All are well.
   *
   * @param directories the fast data directories
   */
  public FastDiskHealth(List<Path> directories, LongSupplier nanoTime, Probe probe) {
    this.directories = List.copyOf(directories);
    this.nanoTime = nanoTime;
    this.probe = probe;
  }

  /** Writes, syncs and deletes a small file. */
  public static void writeProbe(Path directory) throws IOException {
    Path file = directory.resolve(PROBE);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(ByteBuffer.wrap(new byte[4096]));
      channel.force(true);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Whether rows may be written there now. */
  public synchronized boolean takesWrites(Path directory) {
    Rest rest = resting.get(directory);
    return rest == null || !rest.isGivenUp;
  }

  /** The same for a directory below one of them. */
  boolean takesWritesAt(Path below) {
    return directories.stream().filter(below::startsWith).allMatch(this::takesWrites);
  }

  /** Whether there is a directory that takes writes; false where there is none at all. */
  boolean anyTakesWrites() {
    return directories.stream().anyMatch(this::takesWrites);
  }

  /** A write to a file failed: the directory that it is in is given up; all, if it is in none. */
  public void failed(String path, Throwable cause) {
    List<Path> hit = directories.stream().filter(d -> Path.of(path).startsWith(d)).toList();
    (hit.isEmpty() ? directories : hit).forEach(directory -> giveUp(directory, cause));
  }

  private synchronized void giveUp(Path directory, Throwable cause) {
    Rest rest = resting.get(directory);
    if (rest == null) {
      rest = new Rest();
      resting.put(directory, rest);
    } else if (rest.isGivenUp) {
      return;
    } else {
      rest.isGivenUp = true;
      rest.restNanos = Math.min(MAX_REST_NANOS, 2 * rest.restNanos);
    }
    rest.triedAtNanos = nanoTime.getAsLong();
    logger.error(
        "fast directory {} failed a write ({}): it is given up, and rows go to slow, until it takes"
            + " a small file again, which is tried in {} s; look for disk errors in the system's"
            + " log and repair or replace the disk",
        directory,
        rootOf(cause),
        TimeUnit.NANOSECONDS.toSeconds(rest.restNanos));
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Tries those given up whose rest is over. Called about once a second by one thread. */
  public void tryAgain() {
    for (Path directory : directories) {
      if (isDue(directory)) {
        try {
          probe.write(directory);
          recovered(directory);
        } catch (IOException | RuntimeException e) {
          restLonger(directory);
        }
      }
    }
  }

  private synchronized boolean isDue(Path directory) {
    Rest rest = resting.get(directory);
    return rest != null
        && rest.isGivenUp
        && nanoTime.getAsLong() - rest.triedAtNanos >= rest.restNanos;
  }

  /** Rows were written well. */
  public synchronized void succeeded() {
    resting.values().removeIf(rest -> !rest.isGivenUp);
  }

  /** How long it rested is remembered: a disk that takes a small file may fail the next row. */
  private synchronized void recovered(Path directory) {
    Rest rest = resting.get(directory);
    rest.isGivenUp = false;
    rest.triedAtNanos = nanoTime.getAsLong();
    logger.info("fast directory {} takes writes again", directory);
  }

  private synchronized void restLonger(Path directory) {
    Rest rest = resting.get(directory);
    rest.restNanos = Math.min(MAX_REST_NANOS, 2 * rest.restNanos);
    rest.triedAtNanos = nanoTime.getAsLong();
  }
}
