/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a fast disk that is missing at start. Rows may live on the fast disk only, and an
 * unmounted disk looks to Cassandra like an empty directory: it would start, serve without those
 * rows, and let new files land on the wrong device. So each fast directory carries a marker file
 * with an id, and the first data directory remembers which ids belong to this node.
 */
final class FastDiskLedger {
  private static final Logger logger = LoggerFactory.getLogger(FastDiskLedger.class);

  static final String MARKER = ".kasane-fast-disk";
  static final String LEDGER = ".kasane-fast-disks";
  static final String ACCEPT_LOSS_PROPERTY = "kasane.accept_fast_loss";

  private final Path file;
  private final Properties idByDirectory = new Properties();

  private FastDiskLedger(Path file) {
    this.file = file;
  }

  static FastDiskLedger open(Path firstDataDirectory) {
    FastDiskLedger ledger = new FastDiskLedger(firstDataDirectory.resolve(LEDGER));
    if (Files.exists(ledger.file)) {
      try (InputStream in = Files.newInputStream(ledger.file)) {
        ledger.idByDirectory.load(in);
      } catch (IOException | IllegalArgumentException e) {
        throw new HostException("cannot read " + ledger.file + ": " + e.getMessage(), e);
      }
    }
    return ledger;
  }

  /**
   * Compares the fast disks of today with those of the last start and remembers today's.
   *
   * @throws HostException if one that may hold rows is not there
   */
  void verify(List<Path> fast, List<Path> data) {
    boolean acceptLoss = Boolean.getBoolean(ACCEPT_LOSS_PROPERTY);
    for (String known : new TreeSet<>(idByDirectory.stringPropertyNames())) {
      Path directory = Path.of(known);
      if (fast.contains(directory)) {
        verifyMarker(directory, acceptLoss);
      } else {
        verifyRetired(directory, data, acceptLoss);
      }
    }
    for (Path directory : fast) {
      if (!idByDirectory.containsKey(directory.toString())) {
        idByDirectory.setProperty(directory.toString(), mark(directory));
      }
    }
    store();
  }

  private void verifyMarker(Path directory, boolean acceptLoss) {
    String expected = idByDirectory.getProperty(directory.toString());
    String found = readMarker(directory);
    if (expected.equals(found)) {
      return;
    }
    String what =
        "fast directory "
            + directory
            + (found == null
                ? " has no "
                    + MARKER
                    + " file, though this node kept rows there: the fast disk"
                    + " seems not to be mounted"
                : " belongs to another node or another time (marker "
                    + found
                    + ", expected "
                    + expected
                    + ")");
    if (!acceptLoss) {
      throw new HostException(
          what
              + ". Mount the right disk and start again. If the disk is lost for good, start once"
              + " with -D"
              + ACCEPT_LOSS_PROPERTY
              + "=true and then run 'nodetool repair' to fetch its rows from the other replicas;"
              + " tables in tier_mode 'cache' whose fast_only_bytes were 0 have lost none.");
    }
    logger.warn("{}; going on without its rows as -D{} says", what, ACCEPT_LOSS_PROPERTY);
    idByDirectory.remove(directory.toString());
  }

  private void verifyRetired(Path directory, List<Path> data, boolean acceptLoss) {
    if (!data.contains(directory) && !acceptLoss && holdsSSTables(directory)) {
      throw new HostException(
          "fast directory "
              + directory
              + " still holds SSTables but is no longer among data_file_directories: their rows"
              + " would be missing. List it again in cassandra.yaml (and in fast_directories of"
              + " kasane.yaml), ALTER the tables to a stock compaction strategy and run 'nodetool"
              + " relocatesstables' to empty it; or start once with -D"
              + ACCEPT_LOSS_PROPERTY
              + "=true to go on without them.");
    }
    logger.warn("{} is no longer a fast directory", directory);
    idByDirectory.remove(directory.toString());
  }

  private static boolean holdsSSTables(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(
          path ->
              path.getFileName().toString().endsWith("-Data.db")
                  && !path.toString().contains("/snapshots/")
                  && !path.toString().contains("/backups/"));
    } catch (IOException e) {
      throw new HostException("cannot list " + directory + ": " + e.getMessage(), e);
    }
  }

  private static String readMarker(Path directory) {
    Path marker = directory.resolve(MARKER);
    try {
      return Files.exists(marker) ? Files.readString(marker).trim() : null;
    } catch (IOException e) {
      throw new HostException("cannot read " + marker + ": " + e.getMessage(), e);
    }
  }

  private static String mark(Path directory) {
    String present = readMarker(directory);
    if (present != null) {
      return present;
    }
    String id = UUID.randomUUID().toString();
    try {
      Files.createDirectories(directory);
      writeDurably(directory.resolve(MARKER), id.getBytes(StandardCharsets.UTF_8));
      return id;
    } catch (IOException e) {
      throw new HostException(
          "cannot write to fast directory "
              + directory
              + ": "
              + e.getMessage()
              + "; make it writable for Cassandra's user or take it out of fast_directories",
          e);
    }
  }

  private void store() {
    if (idByDirectory.isEmpty() && !Files.exists(file)) {
      return;
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      idByDirectory.store(bytes, "Fast disks that hold rows of this node. Written by Kasane.");
      writeDurably(file, bytes.toByteArray());
    } catch (IOException e) {
      throw new HostException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static void writeDurably(Path target, byte[] content) throws IOException {
    Path temporary = target.resolveSibling(target.getFileName() + ".tmp");
    try (OutputStream out = Files.newOutputStream(temporary)) {
      out.write(content);
    }
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel parent = FileChannel.open(target.getParent())) {
      parent.force(true);
    }
  }
}
