/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.claim.DurableFile;
import io.kasane.host.refuse.HostException;
import io.kasane.host.refuse.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a fast disk that is missing at start. Rows may live on the fast disk only, and an
 * unmounted disk looks to Cassandra like an empty directory: it would start, serve without those
 * rows, and let new files land on the wrong device. So each fast directory carries a marker file
 * with the disk's id, and the first other data directory remembers which disks belong to this node,
 * whatever the settings say today. A disk is forgotten when it is seen to hold no SSTables, or when
 * the operator accepts its loss by its id. Another node's disk is not taken for a new one.
 */
final class FastDiskLedger {
  private static final Logger logger = LoggerFactory.getLogger(FastDiskLedger.class);

  static final String MARKER = ".kasane-fast-disk";
  static final String LEDGER = ".kasane-fast-disks";
  static final String ACCEPT_LOSS_PROPERTY = "kasane.accept_fast_loss";

  /** Keeps other nodes, and other processes, off a directory. */
  interface Claims {
    /**
     * Claims it; {@code marks} are the files that go when another node takes it over.
     *
     * @throws HostException if it is another node's, or another process has it
     */
    void take(Path directory, String... marks) throws IOException;
  }

  private final List<Path> data;
  private final Map<String, Path> directoryById = new TreeMap<>();
  private final String accepted = System.getProperty(ACCEPT_LOSS_PROPERTY);

  private FastDiskLedger(List<Path> data) {
    this.data = List.copyOf(data);
  }

  /**
   * Reads what this node remembers.
   *
   * @param data all data directories, in the order of cassandra.yaml
   * @throws HostException if it cannot be read
   */
  static FastDiskLedger open(List<Path> data) {
    FastDiskLedger ledger = new FastDiskLedger(data);
    // Which directory is the first slow one may have changed since the last start.
    for (Path directory : data) {
      ledger.read(directory.resolve(LEDGER));
    }
    return ledger;
  }

  boolean knowsDisks() {
    return !directoryById.isEmpty();
  }

  private void read(Path file) {
    if (!Files.exists(file)) {
      return;
    }
    Properties idByDirectory = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      idByDirectory.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new HostException("cannot read " + file + ": " + e.getMessage(), e);
    }
    for (String directory : idByDirectory.stringPropertyNames()) {
      directoryById.put(idByDirectory.getProperty(directory), Path.of(directory));
    }
  }

  /**
   * Compares the fast disks of today with those of the last start and remembers today's.
   *
   * @param fast today's fast directories; all of them are data directories, not all data
   *     directories are fast
   * @param claims asked for each of them, once all disks that may hold rows are there
   * @throws HostException if a disk that may hold rows is not there, or one is another node's
   */
  void verify(List<Path> fast, Claims claims) {
    Map<String, String> today = new TreeMap<>();
    boolean accepts = false;
    for (Map.Entry<String, Path> known : directoryById.entrySet()) {
      String id = known.getKey();
      Path lastSeen = known.getValue();
      Optional<Path> found = find(id, lastSeen, fast);
      if (found.filter(fast::contains).isPresent()) {
        today.put(found.get().toString(), id);
      } else if (found.isPresent() && !SSTableFiles.areBelow(found.get())) {
        logger.warn("{} is no longer a fast directory: disk {} is forgotten", found.get(), id);
      } else if (found.filter(data::contains).isPresent()) {
        logger.warn(
            "{} is no longer a fast directory, but holds SSTables: the node starts with them, and"
                + " will not start without them",
            found.get());
        today.put(found.get().toString(), id);
      } else if (id.equals(accepted)) {
        logger.warn(
            "Fast disk {}, last seen at {}: going on without its rows, as -D{} says",
            id,
            lastSeen,
            ACCEPT_LOSS_PROPERTY);
        accepts = true;
      } else {
        throw new HostException(
            found.isPresent() ? unlisted(id, found.get()) : missing(id, lastSeen, fast));
      }
    }
    for (Path directory : fast) {
      boolean isKnown = today.containsKey(directory.toString());
      if (!isKnown) {
        requireNoStranger(directory);
      }
      try {
        claims.take(directory, MARKER);
        if (!isKnown) {
          today.put(directory.toString(), mark(directory));
        }
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
    requireNothingToAcceptLater(today);
    if (accepted != null && !accepts) {
      logger.warn("-D{}={} accepts nothing: take it out", ACCEPT_LOSS_PROPERTY, accepted);
    }
    store(today);
  }

  /** Where the disk is now; it may be mounted elsewhere than at the last start. */
  private Optional<Path> find(String id, Path lastSeen, List<Path> fast) {
    return Stream.of(fast.stream(), data.stream(), Stream.of(lastSeen))
        .flatMap(Function.identity())
        .filter(directory -> id.equals(readMarker(directory)))
        .findFirst();
  }

  private String missing(String id, Path directory, List<Path> fast) {
    String other = readMarker(directory);
    return "fast directory "
        + directory
        + (other == null
            ? " has no "
                + MARKER
                + " file, though this node kept rows there: the fast disk"
                + " seems not to be mounted. Mount it there"
            : " belongs to another node or another time (marker "
                + other
                + ", expected "
                + id
                + "). Mount the right disk there")
        + (fast.contains(directory)
            ? ""
            : ", list it in data_file_directories of cassandra.yaml and in fast_directories of"
                + " kasane.yaml (now "
                + fast
                + ")")
        + " and start again. If the disk is lost for good, or was emptied before it was taken away,"
        + wayToAccept(id)
        + ". Then run 'nodetool repair --full' to fetch its rows from the other replicas; tables in"
        + " tier_mode 'cache' whose fast_only_bytes were 0 have lost none.";
  }

  private String unlisted(String id, Path directory) {
    return "fast directory "
        + directory
        + " still holds SSTables but is no longer among data_file_directories "
        + data
        + ": their rows would be missing. List it again in cassandra.yaml (and in fast_directories"
        + " of kasane.yaml), ALTER the tables to a stock compaction strategy and run 'nodetool"
        + " relocatesstables' to empty it; or, to go on without them,"
        + wayToAccept(id)
        + ".";
  }

  private String wayToAccept(String id) {
    return " start with -D"
        + ACCEPT_LOSS_PROPERTY
        + "="
        + id
        + (accepted == null
            ? ""
            : " (now it is '" + accepted + "', which is not the id of that disk)");
  }

  private void requireNothingToAcceptLater(Map<String, String> today) {
    for (Map.Entry<String, String> disk : today.entrySet()) {
      if (disk.getValue().equals(accepted)) {
        throw new HostException(
            "-D"
                + ACCEPT_LOSS_PROPERTY
                + "="
                + accepted
                + " names the fast disk at "
                + disk.getKey()
                + ", which is there: its loss would be accepted unseen later. Take the option out");
      }
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

  /** Of a disk that was marked before marks had owners, only the ledger says whose it is. */
  private static void requireNoStranger(Path directory) {
    String id = readMarker(directory);
    if (id != null && !DirectoryClaim.hasOwner(directory) && SSTableFiles.areBelow(directory)) {
      throw new HostException(
          "fast directory "
              + directory
              + " holds SSTables, and nothing says that they are this node's: "
              + MARKER
              + " there is "
              + Refusal.quote(id)
              + ", which is none of this node's fast disks. Correct fast_directories in kasane.yaml;"
              + " or, if this node takes over for good what is there, delete "
              + directory.resolve(MARKER)
              + " and start again");
    }
  }

  private static String mark(Path directory) throws IOException {
    String present = readMarker(directory);
    if (present != null) {
      return present;
    }
    String id = UUID.randomUUID().toString();
    Files.createDirectories(directory);
    DurableFile.write(directory.resolve(MARKER), id.getBytes(StandardCharsets.UTF_8));
    return id;
  }

  private void store(Map<String, String> today) {
    Path target =
        data.stream()
            .filter(directory -> !today.containsKey(directory.toString()))
            .findFirst()
            .orElse(data.get(0))
            .resolve(LEDGER);
    try {
      if (!today.isEmpty() || Files.exists(target)) {
        Properties idByDirectory = new Properties();
        idByDirectory.putAll(today);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        idByDirectory.store(bytes, "Fast disks that hold rows of this node. Written by Kasane.");
        DurableFile.write(target, bytes.toByteArray());
      }
      for (Path directory : data) {
        Path old = directory.resolve(LEDGER);
        if (!old.equals(target) && Files.exists(old)) {
          Files.delete(old);
        }
      }
    } catch (IOException e) {
      throw new HostException("cannot write " + target + ": " + e, e);
    }
  }
}
