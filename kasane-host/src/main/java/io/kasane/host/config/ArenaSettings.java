/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Which tables' committed versions other processes of this machine may read from shared memory.
 *
 * @param directory where the arenas lie, a file a table; on a file system in memory
 * @param group who may read them besides the node's own user; empty for nobody
 * @param slotBytes what a key and its version may take, and some
 * @param server where clients on other hosts find the process that serves them; empty for none
 * @param tables how long the file of each table is at most, by keyspace and table: {@code ks.t}
 */
public record ArenaSettings(
    Path directory,
    Optional<String> group,
    int slotBytes,
    Optional<Server> server,
    Map<String, Long> tables) {
  /** An address that clients connect to. */
  public record Server(String host, int port) {}

  static final String DIRECTORY = "directory";
  static final String GROUP = "group";
  static final String SLOT = "slot";
  static final String SERVER = "server";
  static final String TABLES = "tables";

  /** Copies the map. */
  public ArenaSettings {
    tables = Map.copyOf(tables);
  }
}
