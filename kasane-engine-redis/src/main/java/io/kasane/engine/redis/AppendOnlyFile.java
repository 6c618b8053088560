/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineUsage;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file to which Redis appends each change. A server that finds its disk full ends, so changes
 * are refused before; and the file grows with each change, so Redis is told to write it anew when
 * that pays and there is room for both. Thread-safe.
 */
final class AppendOnlyFile implements RedisRoom {
  /** What the disk is not filled with: deletions are appended, too. */
  private static final int KEPT_SHARE = 8;

  private static final long MAX_KEPT_BYTES = 4L << 30;

  /** A file that is shorter is not worth it. */
  private static final long MIN_BYTES = 64L << 20;

  /** Keys, lengths and names of commands beside the values. */
  private static final double OVERHEAD = 1.25;

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Pattern NUMBER =
      Pattern.compile("^([a-z_]+):([0-9]+)\\r?$", Pattern.MULTILINE);

  private final Path directory;
  private final RedisCalls calls;
  private final long capacityBytes;
  private long lookedAtNanos = System.nanoTime() - LOOK_NANOS;
  private long rewritingBytes;

  AppendOnlyFile(Path directory, RedisCalls calls, long capacityBytes) {
    this.directory = directory;
    this.calls = calls;
    this.capacityBytes = capacityBytes;
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is, beside what deletions, and a file that is being written, need.
   */
  @Override
  public synchronized void requireRoom(long bytes) {
    lookOnceASecond();
    long free = directory.toFile().getUsableSpace();
    long disk = free + fileBytes();
    long kept = Math.min(disk / KEPT_SHARE, MAX_KEPT_BYTES);
    long room = free - kept - rewritingBytes;
    if (bytes * OVERHEAD > room) {
      throw new EngineException(
          Kind.FULL,
          String.format(
              "Redis in %s has no room on its disk: %,d bytes are free, of which %,d are kept for"
                  + " deletions and %,d for its file to be written anew",
              directory, free, kept, rewritingBytes));
    }
  }

  /** Of all files; from Redis 7 on the log has a directory of its own. */
  @Override
  public long fileBytes() {
    return EngineUsage.bytesIn(directory) + EngineUsage.bytesIn(directory.resolve("appendonlydir"));
  }

  /** Has it written anew if that pays and there is room for it. */
  @Override
  public synchronized void lookOnceASecond() {
    long now = System.nanoTime();
    if (now - lookedAtNanos < LOOK_NANOS) {
      return;
    }
    lookedAtNanos = now;
    String info = calls.info("persistence");
    if (number(info, "aof_rewrite_in_progress") > 0) {
      return;
    }
    rewritingBytes = 0;
    long file = number(info, "aof_current_size");
    long data = (long) (OVERHEAD * number(calls.info("memory"), "used_memory_dataset"));
    if (file > MIN_BYTES && file > 2 * data && data < directory.toFile().getUsableSpace()) {
      rewritingBytes = data;
      try {
        calls.read(RedisWords.of("BGREWRITEAOF"));
      } catch (EngineException e) {
        rewritingBytes = 0; // no memory for another process, say: the log stays as it is
      }
    }
  }

  /** Redis counts by differences: a number that is below 0 is told as one above all others. */
  static long number(String info, String name) {
    Matcher line = NUMBER.matcher(info);
    while (line.find()) {
      if (line.group(1).equals(name)) {
        return Math.max(0, Long.parseUnsignedLong(line.group(2)));
      }
    }
    return 0;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public long memoryBytes() {
    return number(calls.info("memory"), "used_memory");
  }
}
