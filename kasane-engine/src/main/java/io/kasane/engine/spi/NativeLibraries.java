/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import io.kasane.engine.spi.EngineException.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Native libraries that come in jars, and have to be files to be loaded: below {@code
 * -Dkasane.native_directory}, or {@code java.io.tmpdir}. They are removed once they are loaded, so
 * that a killed process leaves none. Not on an engine's disk: code of which a page cannot be read
 * ends the process.
 */
public final class NativeLibraries {
  private static final String DIRECTORY = "kasane.native_directory";

  private NativeLibraries() {}

  /** Unpacks libraries into a directory, and loads them. */
  public interface Loader {
    /** Loads, or does nothing if the process has them already. */
    void load(Path directory) throws IOException;
  }

  /**
   * Loads the libraries of an engine.
   *
   * @throws EngineException if they cannot be loaded from there
   */
  public static synchronized void load(String engine, Loader loader) {
    Path parent = Path.of(System.getProperty(DIRECTORY, System.getProperty("java.io.tmpdir")));
    try {
      Path directory = Files.createTempDirectory(parent, "kasane-" + engine + "-");
      try {
        loader.load(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new EngineException(
          Kind.FAILED,
          "the native library of "
              + engine
              + " cannot be loaded from "
              + parent
              + ": "
              + e
              + "; if that is mounted noexec, is full or is not there, name another directory with -D"
              + DIRECTORY
              + " in jvm-server.options, and start the node again",
          e);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
