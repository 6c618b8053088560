/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The fast directory is there, and belongs to Cassandra's user.
 *
 * @param fast the directory
 * @param like a directory of Cassandra whose owner and mode it gets, if it is there
 */
record FastDirectoryStep(Path fast, Path like) implements Step {
  @Override
  public String shown() {
    return Files.isDirectory(fast) ? "" : "+ " + fast + "/, for the owner of " + like + "\n";
  }

  @Override
  public void run() throws IOException {
    if (!Files.isDirectory(fast)) {
      Files.createDirectories(fast);
      if (Files.exists(like)) {
        Owners.copy(like, fast);
      }
    }
  }
}
