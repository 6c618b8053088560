/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import java.nio.file.Path;

/**
 * Where clusters and their templates lie: each has a directory of its name under each root, so that
 * what belongs on a disk never leaves its file system.
 *
 * @param work holds configuration, commit logs and Cassandra's own tables
 * @param slow holds what lies on the slow disk
 * @param fast holds what lies on the fast disk
 */
public record NodeRoots(Path work, Path slow, Path fast) {
  /** Makes the roots absolute: a node does not run in the directory that this process runs in. */
  public NodeRoots {
    work = work.toAbsolutePath().normalize();
    slow = slow.toAbsolutePath().normalize();
    fast = fast.toAbsolutePath().normalize();
  }

  /** Returns roots in one directory, for disks that are beneath the process. */
  public static NodeRoots in(Path work) {
    return new NodeRoots(work, work, work);
  }

  /** Returns where the cluster or template of this name lies. */
  NodePlace place(String name) {
    return new NodePlace(work.resolve(name), slow.resolve(name), fast.resolve(name));
  }
}
