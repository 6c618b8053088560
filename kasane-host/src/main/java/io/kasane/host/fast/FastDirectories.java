/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.claim.NodeId;
import io.kasane.host.config.NodeConfig;
import io.kasane.host.refuse.HostException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.Directories.DataDirectory;
import org.apache.cassandra.io.util.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data directories of this node that lie on the fast disk. Immutable. */
public final class FastDirectories {
  private static final Logger logger = LoggerFactory.getLogger(FastDirectories.class);

  private final List<DataDirectory> directories;

  private FastDirectories(List<DataDirectory> directories) {
    this.directories = List.copyOf(directories);
  }

  /** All data directories, in the order of cassandra.yaml. */
  public static List<Path> data() {
    return Arrays.stream(DatabaseDescriptor.getNonLocalSystemKeyspacesDataFileLocations())
        .map(location -> Path.of(location).toAbsolutePath().normalize())
        .toList();
  }

  /**
   * Checks the node's settings against its data directories and the fast disks that it had before.
   *
   * @throws HostException if the node must not start like this
   */
  public static FastDirectories open(NodeConfig config, NodeId node, List<Path> data) {
    check(
        config.fastDirectories(), data, DatabaseDescriptor.useSpecificLocationForLocalSystemData());
    FastDiskLedger.open(data)
        .verify(
            config.fastDirectories(),
            (directory, marks) ->
                DirectoryClaim.take(directory, node, NodeConfig.FAST_DIRECTORIES, marks));
    warnIfSameDevice(config.fastDirectories(), data);
    warnIfQuotaAboveDisk(config);

    List<DataDirectory> directories = new ArrayList<>();
    for (DataDirectory directory : Directories.dataDirectories.getAllDirectories()) {
      if (config.fastDirectories().contains(normalized(directory.location))) {
        directories.add(directory);
      }
    }
    return new FastDirectories(directories);
  }

  /**
   * Whether this node had fast disks when it ran last.
   *
   * @throws HostException if what it remembers cannot be read
   */
  public static boolean wereThere(List<Path> data) {
    return FastDiskLedger.open(data).knowsDisks();
  }

  static void check(List<Path> fast, List<Path> data, boolean systemDataApart) {
    for (Path directory : fast) {
      if (!data.contains(directory)) {
        throw new HostException(
            "fast_directories names "
                + directory
                + ", which is not among data_file_directories "
                + data
                + " of cassandra.yaml; add it there, after the slow ones");
      }
    }
    if (!data.isEmpty() && fast.containsAll(data)) {
      throw new HostException(
          "fast_directories "
              + fast
              + " covers all data_file_directories; list at least one slow directory before them");
    }
    if (!data.isEmpty() && fast.contains(data.get(0)) && !systemDataApart) {
      throw new HostException(
          "data_file_directories of cassandra.yaml starts with the fast directory "
              + data.get(0)
              + ", where Cassandra keeps its system tables; list a slow directory first (or set"
              + " local_system_data_file_directory)");
    }
  }

  private static void warnIfSameDevice(List<Path> fast, List<Path> data) {
    for (Path fastDirectory : fast) {
      for (Path directory : data) {
        if (!fast.contains(directory) && sameDevice(fastDirectory, directory)) {
          logger.warn(
              "fast directory {} and slow directory {} are on the same device: rows will be placed,"
                  + " but nothing gets faster; mount the fast disk at {}",
              fastDirectory,
              directory,
              fastDirectory);
        }
      }
    }
  }

  private static void warnIfQuotaAboveDisk(NodeConfig config) {
    if (config.fastDirectories().isEmpty() || config.fastQuotaBytes().isEmpty()) {
      return;
    }
    long quota = config.fastQuotaBytes().getAsLong();
    Set<FileStore> stores = new HashSet<>();
    long total = 0;
    try {
      for (Path directory : config.fastDirectories()) {
        FileStore store = Files.getFileStore(directory);
        if (stores.add(store)) {
          total += store.getTotalSpace();
        }
      }
    } catch (IOException e) {
      return; // whoever writes there will say so
    }
    if (quota > total) {
      logger.warn(
          "fast_quota is {} bytes, but the disks of {} hold {}: rows go to slow when those are full;"
              + " lower fast_quota, or leave it out for 90 % of the disk",
          quota, config.fastDirectories(), total);
    }
  }

  private static boolean sameDevice(Path a, Path b) {
    try {
      FileStore storeOfA = Files.getFileStore(a);
      return storeOfA.equals(Files.getFileStore(b));
    } catch (IOException e) {
      return false;
    }
  }

  private static Path normalized(File file) {
    return file.toAbsolute().toPath().normalize();
  }

  public boolean isEmpty() {
    return directories.isEmpty();
  }

  public List<DataDirectory> all() {
    return directories;
  }

  /** Whether the disk of this fast data directory is mounted and writable now. */
  public static boolean isUsable(Path directory) {
    return Files.isWritable(directory) && Files.exists(directory.resolve(FastDiskLedger.MARKER));
  }

  /** As they are named, and where their files really lie. */
  public List<Path> allPaths() {
    return Stream.concat(
            directories.stream().map(d -> normalized(d.location)), realPaths().stream())
        .distinct()
        .toList();
  }

  /** Where their files really lie, symbolic links resolved. */
  public List<Path> realPaths() {
    return directories.stream().map(d -> d.location.toCanonical().toPath()).toList();
  }

  /** The directories of {@code cfs} on the fast disk. */
  public List<File> of(ColumnFamilyStore cfs) {
    List<File> found = new ArrayList<>();
    for (DataDirectory directory : directories) {
      File location = cfs.getDirectories().getLocationForDisk(directory);
      if (location != null) {
        found.add(location);
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return directories.stream().map(d -> d.location.path()).toList().toString();
  }
}
