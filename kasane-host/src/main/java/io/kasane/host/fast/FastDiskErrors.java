/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.fast;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSErrorHandler;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.sstable.CorruptSSTableException;
import org.apache.cassandra.io.util.FileUtils;
import org.apache.cassandra.service.DefaultFSErrorHandler;

/**
 * A fast disk that does not take writes is no reason to stop a node: its rows go to slow instead.
 * So such errors are told to whoever writes there, not to Cassandra's disk failure policy, which by
 * default stops the node and otherwise gives up the directory for reads, too. Errors on reading are
 * left to that policy: rows may lie there only. Thread-safe.
 */
public final class FastDiskErrors implements FSErrorHandler {
  private final FSErrorHandler others = new DefaultFSErrorHandler();
  private final List<Path> fastDirectories;
  private volatile Consumer<FSError> listener = error -> {};

  public FastDiskErrors(List<Path> fastDirectories) {
    this.fastDirectories = List.copyOf(fastDirectories);
  }

  /** Takes the place of Cassandra's own handler, which the node has set before Kasane starts. */
  public void install() {
    if (!fastDirectories.isEmpty()) {
      FileUtils.setFSErrorHandler(this);
    }
  }

  public void setListener(Consumer<FSError> heardBy) {
    listener = heardBy;
  }

  @Override
  public void handleFSError(FSError error) {
    if (error instanceof FSWriteError && isOnFast(error.path)) {
      listener.accept(error);
    } else {
      others.handleFSError(error);
    }
  }

  private boolean isOnFast(String path) {
    return path != null && fastDirectories.stream().anyMatch(Path.of(path)::startsWith);
  }

  @Override
  public void handleCorruptSSTable(CorruptSSTableException error) {
    others.handleCorruptSSTable(error);
  }

  @Override
  public void handleStartupFSError(Throwable error) {
    others.handleStartupFSError(error);
  }
}
