/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A control group that leaves one node little memory for files. Its limit holds for the node's own
 * memory and the page cache together, so it follows what the node takes: fixed, it would end a node
 * whose compiler and threads take some megabytes more than at first.
 */
public final class MemoryRoom implements AutoCloseable {
  private static final int TRIES = 50;

  /** More than any node here takes: to see whether a limit can be set at all. */
  private static final long TRIED_BYTES = 1L << 40;

  /** A node takes less in this time than a page cache worth measuring holds. */
  private static final int PERIOD_MILLIS = 50;

  private final NodeGroup group;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread follower = new Thread(work, "memory-room");
            follower.setDaemon(true);
            return follower;
          });

  private MemoryRoom(NodeGroup group) {
    this.group = group;
  }

  /** Tries to limit memory; returns, in words, why it cannot be limited here, or empty. */
  public static Optional<String> whyNone() {
    try {
      Optional<ControlGroups> groups = ControlGroups.find();
      if (groups.isEmpty()) {
        return Optional.of("this user may make no memory control group on this machine");
      }
      try (NodeGroup tried = create(groups.get())) {
        tried.emptyPageCache();
        tried.limitMemory(TRIED_BYTES);
        tried.besideFilesBytes();
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the kernel does not let memory be limited (" + e + ")");
    }
  }

  /** Makes a group without a limit. */
  public static MemoryRoom open() throws IOException {
    return new MemoryRoom(
        create(
            ControlGroups.find()
                .orElseThrow(() -> new NodeException(whyNone().orElse("no control group")))));
  }

  /** Disks are not limited here. */
  private static NodeGroup create(ControlGroups groups) throws IOException {
    return new ControlGroups(groups.memory(), Optional.empty(), groups.unified()).create();
  }

  /** Puts a node into the group; what it reads and writes from then on counts. */
  public void admit(ProcessHandle node) {
    try {
      group.admit(node.pid());
    } catch (IOException e) {
      throw new NodeException("the node could not be put into its control group: " + e, e);
    }
  }

  /** Empties the page cache, and lets it grow to so much from now on. */
  public void leave(long pageCacheBytes) throws IOException {
    group.emptyPageCache();
    group.limitMemory(group.besideFilesBytes() + pageCacheBytes);
    var unused =
        thread.scheduleWithFixedDelay(
            () -> follow(pageCacheBytes), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void follow(long pageCacheBytes) {
    try {
      group.limitMemory(group.besideFilesBytes() + pageCacheBytes);
    } catch (IOException e) {
      // The kernel could not take pages away so soon, or the node has ended: the next one tells.
    }
  }

  /** The kernel may still be busy with the threads of a node that is gone. */
  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    for (int i = 1; ; i++) {
      try {
        group.close();
        return;
      } catch (FileSystemException e) {
        if (i == TRIES) {
          throw e;
        }
        GroupTurn.pause();
      }
    }
  }
}
