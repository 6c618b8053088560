/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file systems that the fast directories lie on. Thread-safe. */
class FastFileStores {
  private static final Logger logger = LoggerFactory.getLogger(FastFileStores.class);

  /** For logs of transactions, and files that outgrow their bound. */
  private static final long FREE_MARGIN_BYTES = 64L << 20;

  private static final double FREE_MARGIN_SHARE = 0.05; // of a disk that is small

  private final List<Path> roots;
  private final Predicate<Path> usable;
  private final Predicate<Path> takesWrites;
  private final Set<Path> unwritable = ConcurrentHashMap.newKeySet();

  /** To find out what a path lies on, the list of all mounts is read. */
  private final Map<Path, FileStore> stores = new ConcurrentHashMap<>();

  /**
   * @param roots the fast data directories; none = no fast disk
   * @param usable whether the disk of a root is there and writable now
   * @param takesWrites false for a root that failed a write lately
   */
  FastFileStores(List<Path> roots, Predicate<Path> usable, Predicate<Path> takesWrites) {
    this.roots = List.copyOf(roots);
    this.usable = usable;
    this.takesWrites = takesWrites;
  }

  List<Path> roots() {
    return roots;
  }

  /**
   * What they hold, in bytes, of that what is free, and of that what may be written to now.
   *
   * @param isWhole whether the disks of all are there, so that these are their figures
   */
  record Space(long totalBytes, long freeBytes, long usableBytes, boolean isWhole) {
    /** What stays free. */
    long marginBytes() {
      return Math.min(FREE_MARGIN_BYTES, (long) (FREE_MARGIN_SHARE * totalBytes));
    }
  }

  /** Something else may be mounted by now. */
  void lookAgain() {
    stores.clear();
  }

  private FileStore storeOf(Path root) throws IOException {
    FileStore store = stores.get(root);
    if (store == null) {
      store = Files.getFileStore(root);
      stores.put(root, store);
    }
    return store;
  }

  /** Asks the operating system. */
  Space space() {
    long total = 0;
    long free = 0;
    long usableNow = 0;
    boolean isWhole = true;
    Set<FileStore> seen = new HashSet<>();
    for (Path root : roots) {
      boolean writable = usable.test(root);
      noteWhetherWritable(root, writable);
      isWhole &= writable;
      try {
        FileStore store = storeOf(root);
        if (seen.add(store)) {
          long freeOfStore = store.getUsableSpace();
          total += store.getTotalSpace();
          free += freeOfStore;
          usableNow += writable && takesWrites.test(root) ? freeOfStore : 0;
        }
      } catch (IOException e) {
        if (writable) {
          throw new UncheckedIOException("cannot measure the free space of " + root, e);
        }
      }
    }
    return new Space(total, free, usableNow, isWhole);
  }

  /**
   * A broken disk is often remounted read-only, or vanishes and leaves its empty mount point: a
   * disk without room, which must not stop flushes.
   */
  private void noteWhetherWritable(Path root, boolean writable) {
    if (!writable && unwritable.add(root)) {
      logger.error(
          "fast directory {} is not writable or its disk is gone: rows go to slow until it is; look"
              + " for disk errors in the system's log, and mount it writable, or stop the node and"
              + " replace the disk",
          root);
    } else if (writable && unwritable.remove(root)) {
      logger.info("fast directory {} is writable again", root);
    }
  }
}
