/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A way to have a slow and a fast disk. */
public interface DiskRig extends Closeable {
  /**
   * A directory that is to lie on a disk.
   *
   * @param name of the disk, unlike that of others of the node
   * @param role which kind of disk
   * @param capacityBytes how much the disk holds, where the rig can limit it
   * @param quotaKept whether the node keeps to the capacity by itself
   */
  record Placed(
      String name, DiskRole role, Path directory, long capacityBytes, boolean quotaKept) {}

  /** The disks in the hands of one node, from before its start until after its end. */
  interface Turn extends AutoCloseable {
    /** A turn of disks that need nothing done to the node's process. */
    Turn FREE =
        new Turn() {
          @Override
          public void admit(ProcessHandle node) {}

          @Override
          public void close() {}
        };

    /** Makes the disks' limits hold for a node that has just been started. */
    void admit(ProcessHandle node) throws IOException;

    /** Lifts the limits, after the node's end. */
    @Override
    void close() throws IOException;
  }

  /** Returns what kind of disks these are, with their figures, for reports. */
  String describe();

  /**
   * Returns how long one random read of a block from slow takes, in nanoseconds; NaN if unknown.
   */
  default double slowReadNanos(long bytes) {
    return Double.NaN;
  }

  /** Makes the disks ready, and returns where on them nodes are to lie. */
  default NodeRoots open(Path work) throws IOException, InterruptedException {
    return NodeRoots.in(work);
  }

  /** Puts directories of a node on disks, and gives it memory for files, before it starts. */
  void attach(NodeSettings.Builder node, Path nodeDirectory, List<Placed> disks, Machine machine);

  /** Begins a node's turn, when its data are in place. */
  default Turn begin(List<Placed> disks) throws IOException, InterruptedException {
    return Turn.FREE;
  }

  /**
   * Says that measuring begins: a rig may hurry its disks before, so that nodes start and warm up
   * sooner.
   */
  default void measure(NodeJmx jmx, String name) throws IOException {}

  /** Returns what a disk has done so far. */
  DiskCounters counters(NodeJmx jmx, String name) throws IOException;

  /** Takes the disks away. */
  @Override
  default void close() throws IOException {}
}
