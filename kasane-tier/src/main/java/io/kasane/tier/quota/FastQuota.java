/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import io.kasane.tier.control.DiskUsageScanPace;
import io.kasane.tier.control.SteppedLimit;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hard limit on bytes on the fast disk, for the node and for each table. A writer reserves
 * before it writes and is refused rather than let past the limit; what other writers have reserved,
 * files that wait for their last reader, and snapshots all count.
 *
 * <p>Used bytes = files found on the disk (except those being written) + bytes reserved by writers
 * that are open or have ended since. Cassandra's own free-space check never sees the fast disk, so
 * the free space of the device bounds a reservation too, less a margin.
 *
 * <p>Thread-safe. Files are found by a walk over the fast directories, now and then ({@link
 * DiskUsageScanPace}).
 */
public final class FastQuota {
  private static final Logger logger = LoggerFactory.getLogger(FastQuota.class);

  /** A file system that is fuller becomes slow. */
  private static final double DEFAULT_SHARE_OF_DISK = 0.9;

  private final FastFileStores stores;
  private final OptionalLong configuredBytes;
  private final DiskUsageScanPace walks;
  private final SteppedLimit found = new SteppedLimit();
  private final Set<Reservation> open = new HashSet<>();
  private final List<Leaving> leaving = new ArrayList<>();
  private final List<Ended> ended = new ArrayList<>();
  private FastUsage usage;

  /**
   * @param roots the fast data directories; none = no fast disk, quota 0
   * @param configuredBytes the node's limit; absent = 90 % of the disk
   * @param usable whether the disk of a root is there and writable now
   * @param takesWrites false for a root that failed a write lately
   */
  public FastQuota(
      List<Path> roots,
      OptionalLong configuredBytes,
      LongSupplier nanoTime,
      Predicate<Path> usable,
      Predicate<Path> takesWrites) {
    this(new FastFileStores(roots, usable, takesWrites), configuredBytes, nanoTime);
  }

  /** The same on file systems that tell their space. */
  FastQuota(FastFileStores stores, OptionalLong configuredBytes, LongSupplier nanoTime) {
    this.stores = stores;
    this.configuredBytes = configuredBytes;
    this.walks = new DiskUsageScanPace(nanoTime);
  }

  /**
   * The node's limit, bytes: never more than the disk holds besides what stays free and what others
   * have there.
   */
  public synchronized long limitBytes() {
    return stores.roots().isEmpty() ? 0 : limitBytes(stores.space());
  }

  private long limitBytes(FastFileStores.Space space) {
    try {
      measured();
    } catch (UncheckedIOException e) {
      // A disk that cannot be read: who wants to write there will hear of it.
      logger.debug("What lies on the fast disk is not known", e);
    }
    return Math.min(limitOfDisk(space), found.bytes());
  }

  /** If nobody else had anything there. */
  private long limitOfDisk(FastFileStores.Space space) {
    if (configuredBytes.isEmpty()) {
      return (long) (DEFAULT_SHARE_OF_DISK * space.totalBytes());
    }
    long diskBytes = space.totalBytes() - space.marginBytes();
    return space.totalBytes() == 0
        ? configuredBytes.getAsLong()
        : Math.min(configuredBytes.getAsLong(), diskBytes);
  }

  /** Bytes on the fast disk that belong to anybody, those being written included. */
  public synchronized long usedBytes() {
    return measured().totalBytes() + reserved(null);
  }

  /** Bytes below {@code tableDirectories}, those being written included. */
  public synchronized long usedBytes(List<Path> tableDirectories) {
    return measured().bytesOf(tableDirectories) + reserved(tableDirectories);
  }

  /** How much more a table may put on the fast disk now, bytes; at least 0. */
  public synchronized long roomBytes(List<Path> tableDirectories, OptionalLong tableLimitBytes) {
    if (stores.roots().isEmpty()) {
      return 0;
    }
    FastFileStores.Space space = stores.space();
    long room = limitBytes(space) - usedBytes();
    if (tableLimitBytes.isPresent()) {
      room = Math.min(room, tableLimitBytes.getAsLong() - usedBytes(tableDirectories));
    }
    room = Math.min(room, space.usableBytes() - space.marginBytes() - unwritten());
    return Math.max(0, room);
  }

  /**
   * What a reservation must leave, and gives back.
   *
   * @param flushBytes room that it must leave at any time
   * @param compactionBytes room that it must leave besides once it and the compactions that run now
   *     have ended
   * @param merged bytes, by their data files, of the SSTables on the fast disk that go when the
   *     reservation's files are final
   */
  public record Terms(long flushBytes, long compactionBytes, Map<Path, Long> merged) {
    long mergedBytes() {
      return merged.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** SSTables that no table has any more; their files go when nobody reads them. */
  private record Leaving(List<Path> tableDirectories, Map<Path, Long> files) {
    long bytes() {
      return files.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** A reservation that is closed, whose files the last walk did not count. */
  private record Ended(List<Path> tableDirectories, long bytes) {}

  /** Opens an empty reservation for the writers of one flush or compaction. */
  public synchronized Reservation open(
      List<Path> tableDirectories, OptionalLong tableLimitBytes, Terms terms) {
    Reservation reservation = new Reservation(tableDirectories, tableLimitBytes, terms);
    open.add(reservation);
    return reservation;
  }

  /** How much the compactions of a table may still write to the fast disk, bytes. */
  synchronized long outstandingBytes(List<Path> tableDirectories) {
    long sum = 0;
    for (Reservation reservation : open) {
      if (reservation.tableDirectories.equals(tableDirectories)) {
        sum += Math.max(0, reservation.terms.mergedBytes() - reservation.bytes);
      }
    }
    return sum;
  }

  /** A compaction frees its inputs if it ends well, else what it wrote: no less than it took. */
  private long comingBack(Reservation asking) {
    long sum =
        asking.terms.mergedBytes()
            + leaving.stream()
                .filter(gone -> gone.tableDirectories.equals(asking.tableDirectories))
                .mapToLong(Leaving::bytes)
                .sum();
    for (Reservation reservation : open) {
      if (reservation != asking
          && !reservation.hasReplaced
          && reservation.tableDirectories.equals(asking.tableDirectories)) {
        sum += Math.min(reservation.terms.mergedBytes(), reservation.bytes);
      }
    }
    return sum;
  }

  /**
   * How the names of files begin that compactions of a table have written or are writing, and whose
   * inputs are still there: both are live for a moment, and lie on the disk only once more.
   */
  synchronized Set<String> besideTheirInputs(List<Path> tableDirectories) {
    Set<String> prefixes = new HashSet<>();
    for (Reservation reservation : open) {
      if (reservation.tableDirectories.equals(tableDirectories)
          && !reservation.hasReplaced
          && !reservation.terms.merged.isEmpty()) {
        prefixes.addAll(reservation.filePrefixes);
      }
    }
    return prefixes;
  }

  /** Whether SSTables that compactions of a table replaced still have files: room that comes. */
  public synchronized boolean isRoomComing(List<Path> tableDirectories) {
    measured();
    return walks.hasChanged() // the last walk may have counted what is gone by now
        || leaving.stream().anyMatch(gone -> gone.tableDirectories.equals(tableDirectories));
  }

  /** The last walk may have counted what is gone by now. */
  private void forgetDeleted() {
    for (Leaving sstables : leaving) {
      if (sstables.files.keySet().removeIf(Files::notExists)) {
        walks.changed();
      }
    }
    leaving.removeIf(sstables -> sstables.files.isEmpty());
  }

  private FastUsage measured() {
    forgetDeleted();
    if (usage == null || walks.isDue()) {
      walks.begins();
      stores.lookAgain();
      usage = FastUsage.measure(stores.roots(), this::isBeingWritten);
      walks.ended();
      ended.clear();
      lookForOthers();
    }
    return usage;
  }

  /** What is ours and what is free is all that there is for us. */
  private void lookForOthers() {
    FastFileStores.Space space = stores.space();
    if (space.totalBytes() == 0 || !space.isWhole()) {
      return;
    }
    long ours = usage.totalBytes() + reserved(null) - unwritten();
    found.follow(Math.max(0, ours + space.freeBytes() - space.marginBytes()), limitOfDisk(space));
  }

  private boolean isBeingWritten(Path file) {
    String path = file.toString();
    for (Reservation reservation : open) {
      for (String prefix : reservation.filePrefixes) {
        if (path.startsWith(prefix)) {
          return true;
        }
      }
    }
    return false;
  }

  private long reserved(List<Path> tableDirectories) {
    long sum = 0;
    for (Reservation reservation : open) {
      if (tableDirectories == null || reservation.tableDirectories.equals(tableDirectories)) {
        sum += reservation.bytes;
      }
    }
    for (Ended reservation : ended) {
      if (tableDirectories == null || reservation.tableDirectories.equals(tableDirectories)) {
        sum += reservation.bytes;
      }
    }
    return sum;
  }

  private long unwritten() {
    long sum = 0;
    for (Reservation reservation : open) {
      sum += Math.max(0, reservation.bytes - reservation.writtenBytes);
    }
    return sum;
  }

  /** Bytes that one flush or compaction may write to the fast disk. Used by one thread. */
  public final class Reservation implements AutoCloseable {
    private final List<Path> tableDirectories;
    private final OptionalLong tableLimitBytes;
    private final Terms terms;
    private final List<String> filePrefixes = new ArrayList<>();
    private long bytes;
    private long writtenBytes;
    private boolean hasReplaced;

    private Reservation(List<Path> tableDirectories, OptionalLong tableLimitBytes, Terms terms) {
      this.tableDirectories = tableDirectories;
      this.tableLimitBytes = tableLimitBytes;
      this.terms = terms;
    }

    /** What it is bounded by, bytes. */
    public long limitBytes() {
      return Math.min(FastQuota.this.limitBytes(), tableLimitBytes.orElse(Long.MAX_VALUE));
    }

    /**
     * Grows the reservation to {@code wantedBytes} if there is room, and further, so that the next
     * ones need not ask: by as much as half of what is left then.
     *
     * @param furtherBytes the most that it grows further
     * @param alreadyWrittenBytes how much of it is on the disk
     * @return whether the reservation covers {@code wantedBytes}
     */
    public boolean covers(long wantedBytes, long furtherBytes, long alreadyWrittenBytes) {
      if (wantedBytes <= bytes) { // no other thread writes it
        return true;
      }
      synchronized (FastQuota.this) {
        writtenBytes = alreadyWrittenBytes;
        long room = roomBytes(tableDirectories, tableLimitBytes);
        long keep = terms.flushBytes + Math.max(0, terms.compactionBytes - comingBack(this));
        long left = room - keep - (wantedBytes - bytes);
        if (left < 0) {
          return false;
        }
        bytes = wantedBytes + Math.min(furtherBytes, left / 2);
        return true;
      }
    }

    /** Says that files whose path starts with {@code prefix} are written under this reservation. */
    public void writes(String prefix) {
      synchronized (FastQuota.this) {
        // Of a file that was just begun the last walk can have counted next to nothing.
        filePrefixes.add(prefix);
      }
    }

    /** The files are final: what was merged into them goes. */
    public void replacesMerged() {
      synchronized (FastQuota.this) {
        hasReplaced = true;
        leaving.add(new Leaving(tableDirectories, new HashMap<>(terms.merged)));
      }
    }

    /** The files are final or gone; from the next walk on the file system counts them. */
    @Override
    public void close() {
      synchronized (FastQuota.this) {
        if (open.remove(this)) {
          ended.add(new Ended(tableDirectories, bytes));
          walks.changed();
        }
      }
    }
  }
}
