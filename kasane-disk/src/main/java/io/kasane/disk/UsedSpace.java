/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much a directory holds, against a limit. Files with several names count once.
 *
 * <p>The directory is walked at most once a second; what is written in between is added, what is
 * deleted taken off, unless the file has other names: then the next walk tells.
 */
public final class UsedSpace {
  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path directory;
  private final long capacityBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private long nextWalkNanos = System.nanoTime();

  /** The directory must be one of the real file system, not of the modelled one. */
  UsedSpace(Path directory, long capacityBytes) {
    this.directory = directory;
    this.capacityBytes = capacityBytes;
  }

  /** Returns how much fits, in bytes. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Returns how much is stored, in bytes. */
  public long usedBytes() {
    walkIfDue();
    return usedBytes.get();
  }

  /** Takes room for a file that grows. */
  void grow(long bytes, Path file) throws IOException {
    if (usedBytes() + bytes > capacityBytes && walk() + bytes > capacityBytes) {
      throw new IOException(
          file + ": No space left on device (" + capacityBytes + " bytes, modelled)");
    }
    usedBytes.addAndGet(bytes);
  }

  /** Gives back the room of a file that was deleted. */
  public void shrink(long bytes) {
    usedBytes.updateAndGet(used -> Math.max(0, used - bytes));
  }

  private synchronized void walkIfDue() {
    if (System.nanoTime() - nextWalkNanos >= 0) {
      walk();
    }
  }

  private synchronized long walk() {
    SizeOfTree size = new SizeOfTree();
    try {
      Files.walkFileTree(directory, size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    usedBytes.set(size.bytes);
    nextWalkNanos = System.nanoTime() + REFRESH_NANOS;
    return size.bytes;
  }

  private static final class SizeOfTree extends SimpleFileVisitor<Path> {
    private final Set<Object> seen = new HashSet<>();
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && seen.add(attributes.fileKey())) {
        bytes += attributes.size();
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // deleted while we walked
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
