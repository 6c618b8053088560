/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** What must be so of fast disks before a node may be without Kasane, which watches over them. */
final class FastDisks {
  private static final String LOCK = ".kasane-lock";
  private static final String LEDGER = ".kasane-fast-disks";
  private static final String MARKER = ".kasane-fast-disk";

  private FastDisks() {}

  /**
   * Each disk that the node remembers is one of its settings, and is there: one that is not mounted
   * looks empty, and without the ledger nobody would ask for its rows.
   */
  static void requireKnown(List<String> listed, Optional<Path> usual, List<Path> fast) {
    Stream.concat(listed.stream().map(Path::of), usual.stream())
        .distinct()
        .map(directory -> directory.resolve(LEDGER))
        .filter(Files::exists)
        .forEach(ledger -> requireKnown(ledger, fast));
  }

  private static void requireKnown(Path ledger, List<Path> fast) {
    Properties idByDirectory = new Properties();
    try (InputStream in = Files.newInputStream(ledger)) {
      idByDirectory.load(in);
      for (String name : idByDirectory.stringPropertyNames()) {
        Path directory = Path.of(name);
        if (!fast.contains(directory)) {
          throw new NodeException(
              ledger
                  + " remembers the fast directory "
                  + directory
                  + ", which is not in fast_directories of kasane.yaml here. Name the directory of"
                  + " the settings that the node uses with --conf, or list it again");
        }
        Path marker = directory.resolve(MARKER);
        String id = Files.exists(marker) ? Files.readString(marker).strip() : "";
        if (!id.equals(idByDirectory.getProperty(name))) {
          throw new NodeException(
              "fast directory "
                  + directory
                  + " is not the disk that "
                  + ledger
                  + " remembers: is it mounted? Its rows would be missing");
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new NodeException("cannot read " + ledger + " and its disks: " + e.getMessage(), e);
    }
  }

  /** A running node has its fast directory locked. */
  static void requireStopped(List<Path> fast) {
    for (Path directory : fast) {
      Path lock = directory.resolve(LOCK);
      if (!Files.exists(lock)) {
        continue;
      }
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
          FileLock held = channel.tryLock()) {
        if (held == null) {
          throw running(directory);
        }
      } catch (OverlappingFileLockException e) {
        throw running(directory);
      } catch (IOException e) {
        throw new NodeException("cannot open " + lock + ": " + e.getMessage(), e);
      }
    }
  }

  private static NodeException running(Path directory) {
    return new NodeException(
        "the node runs: it has "
            + directory
            + " locked. 'nodetool drain', stop it, and run this again");
  }

  /** No SSTable that Cassandra reads lies there. */
  static void requireEmpty(List<Path> fast) {
    for (Path directory : fast) {
      if (!Files.isDirectory(directory)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(directory)) {
        Optional<Path> left =
            files
                .filter(file -> file.toString().endsWith("-Data.db"))
                .filter(file -> !isKept(directory.relativize(file)))
                .findFirst();
        if (left.isPresent()) {
          throw new NodeException(
              directory
                  + " still holds SSTables, "
                  + left.get().getFileName()
                  + " for one. Start the node, ALTER all tables to a stock compaction strategy, run"
                  + " 'nodetool relocatesstables' without a keyspace, drain and stop it, and run"
                  + " this again");
        }
      } catch (IOException e) {
        throw new NodeException("cannot look into " + directory + ": " + e, e);
      }
    }
  }

  /** Snapshots and backups do not move; Cassandra does not read them either. */
  private static boolean isKept(Path file) {
    for (Path part : file) {
      if (part.toString().equals("snapshots") || part.toString().equals("backups")) {
        return true;
      }
    }
    return false;
  }
}
