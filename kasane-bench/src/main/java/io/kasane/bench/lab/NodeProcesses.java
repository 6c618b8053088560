/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/** The nodes that an experiment has started. */
public final class NodeProcesses {
  private NodeProcesses() {}

  /** Kills them and waits for their end, when this process is told to end: they would run on. */
  public static void kill() {
    ProcessHandle.current()
        .children()
        .forEach(
            node -> {
              node.destroyForcibly();
              node.onExit().join();
            });
  }
}
