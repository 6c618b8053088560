/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.DirectoryUse;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Directories for nodes that nobody wants to keep: gone when it is closed, and gone with the nodes
 * when this process is told to end before. Nodes are to be stopped before it is closed.
 */
public final class TemporaryPlace implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final String prefix;
  private final List<Path> directories = new ArrayList<>();
  private final Thread cleaner = new Thread(this::cleanUp, "clean-up");

  /**
   * A place without directories.
   *
   * @param prefix of their names
   */
  public TemporaryPlace(String prefix) {
    this.prefix = prefix;
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** Makes a directory where temporary files are. */
  public Path directory() {
    return create(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Makes a directory in memory, where the machine has that for everybody. */
  public Path directoryInMemory() {
    return Files.isWritable(SHARED_MEMORY) ? create(SHARED_MEMORY) : directory();
  }

  private synchronized Path create(Path parent) {
    Path directory = create(parent, prefix);
    directories.add(directory);
    return directory;
  }

  /** Makes a directory where temporary files are, which whoever asks takes away himself. */
  public static Path create(String prefix) {
    return create(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  private static Path create(Path parent, String prefix) {
    try {
      return Files.createTempDirectory(parent, prefix);
    } catch (IOException e) {
      throw new NodeException(
          "Cannot create a temporary directory ("
              + e
              + "). Point the environment variable TMPDIR at a writable one.",
          e);
    }
  }

  private void cleanUp() {
    NodeProcesses.kill();
    delete();
  }

  private synchronized void delete() {
    directories.forEach(DirectoryUse::delete);
    directories.clear();
  }

  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(cleaner)) {
      delete();
    }
  }
}
