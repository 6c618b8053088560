/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.util.List;

/** What the threads of a node are doing, for tests that fail because it does not answer. */
public final class ThreadDump {
  private ThreadDump() {}

  /** Their stacks and locks, or why they cannot be had. */
  public static String of(LocalNode node) {
    try (NodeJmx jmx = node.jmx()) {
      return (String)
          jmx.invoke(
              "com.sun.management:type=DiagnosticCommand",
              "threadPrint",
              List.of(String[].class),
              (Object) new String[] {"-l"});
    } catch (IOException e) {
      return "no threads of node " + node.settings().index() + ": " + e;
    }
  }
}
