/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.host.claim.DirectoryClaim;
import io.kasane.host.claim.NodeId;
import io.kasane.host.config.NodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Where an engine's files lie: of one node, and open in one process. Thread-safe. */
final class EngineDirectory {
  private final Path directory;
  private final NodeId node;
  private final BooleanSupplier mustHaveFiles;

  /**
   * A directory that nobody has looked at yet.
   *
   * @param mustHaveFiles whether tables have rows in it: then it is not there while it is empty
   */
  EngineDirectory(Path directory, NodeId node, BooleanSupplier mustHaveFiles) {
    this.directory = directory;
    this.node = node;
    this.mustHaveFiles = mustHaveFiles;
  }

  /**
   * Keeps other nodes and processes out, until what is returned is closed or the process ends.
   *
   * @throws EngineException if it is not there, or cannot be used
   * @throws io.kasane.host.refuse.HostException if it is another node's, or another process has it
   */
  DirectoryClaim claim() {
    if (mustHaveFiles.getAsBoolean() && isEmpty()) {
      throw new EngineException(
          Kind.FAILED,
          directory
              + " is empty, but tables of this node have rows in it; is its disk mounted? Give it"
              + " back, or accept the loss as docs/operate/engines.md says");
    }
    try {
      return DirectoryClaim.take(directory, node, NodeConfig.ENGINE_DIRECTORY);
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, directory + " cannot be used: " + e, e);
    }
  }

  private boolean isEmpty() {
    String[] files = directory.toFile().list((in, name) -> !DirectoryClaim.isItsFile(name));
    return files == null || files.length == 0;
  }
}
