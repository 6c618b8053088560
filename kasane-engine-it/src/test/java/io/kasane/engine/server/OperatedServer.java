/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import io.kasane.engine.spi.EngineServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A database server as an operator would run it. Closing it ends its process. */
public interface OperatedServer extends AutoCloseable {
  /** One of its databases: the same for the same number, which is at least 1. */
  EngineServer database(int number);

  /** Starts the process, again after {@link #kill9}, and waits until it answers. */
  void begin() throws Exception;

  void kill9() throws InterruptedException;

  ProcessHandle process();

  @Override
  default void close() throws InterruptedException {
    kill9();
  }

  /** Makes a file that only its owner may read. */
  static Path passwordFile(Path file, String password) throws Exception {
    Files.writeString(file, password + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
