/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A way to have a slow and a fast disk. */
public interface DiskRig {
  /**
   * A directory that is to lie on a disk.
   *
   * @param name of the disk, unlike that of others of the node
   * @param role which kind of disk
   * @param capacityBytes how much the disk holds, where the rig can limit it
   */
  record Placed(String name, DiskRole role, Path directory, long capacityBytes) {}

  /** Returns what kind of disks these are, with their figures, for reports. */
  String describe();

  /** Puts directories of a node on disks, before it starts. */
  void attach(NodeSettings.Builder node, Path nodeDirectory, List<Placed> disks);

  /** Returns what a disk has done so far; empty if the rig cannot tell. */
  Optional<DiskCounters> counters(NodeJmx jmx, String name) throws IOException;
}
