/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeSettings;
import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.cql.arena.ArenaStore;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.store.TableStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Arenas of the nodes under load, which each client process reads those of one node: where {@code
 * -Dkasane.ramp.arenas} says, a directory in memory, or nowhere.
 */
final class LoadArenas {
  static final String PROPERTY = "kasane.ramp.arenas";

  /** Less than all keys have room. */
  private static final String BYTES_OF_A_TABLE = "1MiB";

  private static final List<String> KEYSPACES = List.of("killed", "unrepaired", "restored");

  private LoadArenas() {}

  static Optional<Path> directory() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of);
  }

  private static Path directoryOf(Path all, int node) {
    return all.resolve("node" + node);
  }

  /** Gives a node its arenas, where they are asked for. */
  static void apply(int node, NodeSettings.Builder settings) {
    directory()
        .ifPresent(
            all -> {
              Map<String, Object> tables = new LinkedHashMap<>();
              KEYSPACES.forEach(
                  keyspace -> tables.put(keyspace + "." + LoadKeys.TABLE, BYTES_OF_A_TABLE));
              settings
                  .withKasane(true)
                  .heap("600m")
                  .kasaneYaml(
                      "arenas",
                      Map.of(
                          "directory",
                          directoryOf(all, node).toString(),
                          "slot",
                          "8KiB",
                          "tables",
                          tables));
            });
  }

  /** The store over the arenas of one of three nodes, where they are asked for. */
  static Optional<ArenaStore> over(TableStore store, CqlSession cql, String keyspace, int process) {
    SchemaReader schema = new SchemaReader(cql);
    return directory()
        .map(
            all ->
                new ArenaStore(
                    store,
                    table -> schema.tableId(keyspace, table),
                    List.of(directoryOf(all, 1 + process % 3)),
                    1,
                    keyspace));
  }

  /** How many keys had to be asked for. */
  static long asked(ArenaMetrics metrics) {
    return metrics.misses() + metrics.torn() + metrics.silent() + metrics.withoutArena();
  }
}
