/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import java.nio.file.Path;
import java.util.List;

/**
 * The directories of a cluster or of one of its nodes, or of stopped ones that others are copied
 * from.
 *
 * @param directory its own
 * @param onSlow what it has on slow disks; may be its own directory
 * @param onFast what it has on fast disks; may be its own directory
 */
record NodePlace(Path directory, Path onSlow, Path onFast) {
  /** Returns the place of one node of a cluster; the first has number 1. */
  NodePlace node(int number) {
    String name = "node" + number;
    return new NodePlace(directory.resolve(name), onSlow.resolve(name), onFast.resolve(name));
  }

  /** Returns a node's data directory on the slow disk. */
  Path slow() {
    return onSlow.resolve("slow");
  }

  /** Returns a node's data directory on the fast disk. */
  Path fast() {
    return onFast.resolve("fast");
  }

  /** Returns where the data of the slow disk lie when the fast disk holds everything. */
  Path slowOnFast() {
    return onFast.resolve("slow");
  }

  /** Returns all directories, each once. */
  List<Path> parts() {
    return List.of(directory, onSlow, onFast).stream().distinct().toList();
  }
}
