/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import io.kasane.host.fast.FastDirectories;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;

/** The fast disk as one table sees it: its directories there, its limit, its room. Thread-safe. */
public final class FastTier {
  private final FastQuota quota;
  private final FastDiskHealth health;
  private final List<File> tableDirectories;
  private final List<Path> tablePaths;
  private volatile OptionalLong tableLimitBytes;

  public FastTier(
      FastDirectories directories,
      FastQuota quota,
      FastDiskHealth health,
      ColumnFamilyStore cfs,
      OptionalLong tableLimitBytes) {
    this.quota = quota;
    this.health = health;
    this.tableDirectories = directories.of(cfs);
    this.tablePaths = tableDirectories.stream().map(f -> f.toCanonical().toPath()).toList();
    this.tableLimitBytes = tableLimitBytes;
  }

  public void setTableLimit(OptionalLong bytes) {
    tableLimitBytes = bytes;
  }

  /** The table's own limit there, if it has one. */
  public OptionalLong tableLimitBytes() {
    return tableLimitBytes;
  }

  /** Whether this node has a fast disk at all. */
  public boolean exists() {
    return !tableDirectories.isEmpty();
  }

  /** Whether a directory there takes writes now. */
  public boolean takesWrites() {
    return exists() && health.anyTakesWrites();
  }

  /** A write to a file there failed. */
  public void failed(String path, Throwable cause) {
    health.failed(path, cause);
  }

  /** Rows were written there well. */
  public void succeeded() {
    health.succeeded();
  }

  /** The file there that could not be written, if that is what {@code failure} says; else null. */
  public String failedWriteIn(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String path = null;
      if (cause instanceof FSWriteError error) {
        path = error.path;
      } else if (cause instanceof FileSystemException error) {
        path = error.getFile();
      }
      if (path != null && isThere(Path.of(path))) {
        return path;
      }
    }
    return null;
  }

  private boolean isThere(Path file) {
    return tablePaths.stream().anyMatch(file::startsWith)
        || tableDirectories.stream().anyMatch(directory -> file.startsWith(directory.toPath()));
  }

  public long usedBytes() {
    return exists() ? quota.usedBytes(tablePaths) : 0;
  }

  public long roomBytes() {
    return exists() ? quota.roomBytes(tablePaths, tableLimitBytes) : 0;
  }

  /** Room that running compactions of the table do not need either. */
  public long spareRoomBytes() {
    return exists() ? Math.max(0, roomBytes() - quota.outstandingBytes(tablePaths)) : 0;
  }

  /** See {@link FastQuota#besideTheirInputs}. */
  Set<String> besideTheirInputs() {
    return exists() ? quota.besideTheirInputs(tablePaths) : Set.of();
  }

  /** Whether files that compactions of the table replaced will give back their room. */
  public boolean isRoomComing() {
    return exists() && quota.isRoomComing(tablePaths);
  }

  /** Opens an empty reservation. */
  public FastQuota.Reservation reserve(FastQuota.Terms terms) {
    return quota.open(tablePaths, tableLimitBytes, terms);
  }

  /**
   * The table's directory on the fast disk with the most free space, a writable one if there is
   * one; absent without fast disk.
   */
  public Optional<File> writeDirectory() {
    return tableDirectories.stream()
        .max(
            Comparator.comparing(this::isWritable)
                .thenComparingLong(f -> f.toJavaIOFile().getUsableSpace()));
  }

  private boolean isWritable(File directory) {
    return directory.toJavaIOFile().canWrite()
        && health.takesWritesAt(directory.toCanonical().toPath());
  }
}
