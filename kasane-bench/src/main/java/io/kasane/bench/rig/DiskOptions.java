/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.ModelRig;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that choose disks. */
public final class DiskOptions {
  @Option(
      names = "--disks",
      paramLabel = "KIND",
      description = {
        "model: modelled inside the node's process (default);",
        "loop: throttled loop devices, Linux and root only;",
        "directories: real disks, with --slow-dir and --fast-dir."
      })
  private String kind;

  @Option(
      names = "--slow-dir",
      paramLabel = "DIR",
      description = "An existing directory on the slow disk.")
  private Path slow;

  @Option(
      names = "--fast-dir",
      paramLabel = "DIR",
      description = "An existing directory on the fast disk.")
  private Path fast;

  /** Takes the values of the options, null where there is none. */
  static DiskOptions of(String kind, Path slow, Path fast) {
    DiskOptions options = new DiskOptions();
    options.kind = kind;
    options.slow = slow;
    options.fast = fast;
    return options;
  }

  /**
   * Returns the disks, checked but not made yet.
   *
   * @param faster time-lapse of disks whose speed can be chosen
   * @param dataBytes what the data take
   * @param work where nodes run; null if not chosen yet
   * @throws NodeException if there can be no such disks
   */
  public DiskRig rig(double faster, long dataBytes, Path work) throws IOException {
    boolean named = slow != null || fast != null;
    String wanted = kind == null ? (named ? "directories" : "model") : kind;
    if (named && !wanted.equals("directories")) {
      throw new NodeException(
          "--disks: '"
              + wanted
              + "' uses no "
              + (slow != null ? "--slow-dir" : "--fast-dir")
              + ". Leave out one of the two.");
    }
    return switch (wanted) {
      case "model" -> new ModelRig(faster);
      case "loop" -> new LoopRig(faster, dataBytes);
      case "directories" -> {
        requireBoth();
        if (work != null) {
          UsableDirectory.requireApart("--slow-dir", slow, "--work", work);
          UsableDirectory.requireApart("--fast-dir", fast, "--work", work);
        }
        yield new DirectoryRig(slow, fast, dataBytes);
      }
      default ->
          throw new NodeException("--disks: '" + kind + "' is none of model, loop, directories");
    };
  }

  private void requireBoth() {
    if (slow == null || fast == null) {
      throw new NodeException(
          "--disks directories: needs --slow-dir and --fast-dir; " + given() + " was given");
    }
  }

  private String given() {
    if (slow == null && fast == null) {
      return "neither";
    }
    return slow == null ? "only --fast-dir" : "only --slow-dir";
  }
}
