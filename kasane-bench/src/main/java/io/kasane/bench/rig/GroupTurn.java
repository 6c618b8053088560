/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskRig;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** A node's turn inside a control group, whose page cache is emptied all the time. */
final class GroupTurn implements DiskRig.Turn {
  private static final int TRIES = 50;
  private static final int BETWEEN_TRIES_MILLIS = 100;

  private final NodeGroup group;
  private PageCacheDrain drain;

  GroupTurn(NodeGroup group) {
    this.group = group;
  }

  @Override
  public synchronized void admit(ProcessHandle node) throws IOException {
    group.admit(node.pid());
    if (drain == null) {
      drain = new PageCacheDrain(group);
    }
  }

  /** May be called again. */
  @Override
  public synchronized void close() throws IOException {
    try {
      if (drain != null) {
        drain.close();
        drain = null;
      }
    } finally {
      remove();
    }
  }

  /** The kernel may still be busy with the threads of a process that is gone. */
  private void remove() throws IOException {
    for (int i = 1; ; i++) {
      try {
        group.close();
        return;
      } catch (FileSystemException e) {
        if (i == TRIES) {
          throw e;
        }
        pause();
      }
    }
  }

  static void pause() {
    try {
      Thread.sleep(BETWEEN_TRIES_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("interrupted while disks were taken away", e);
    }
  }
}
