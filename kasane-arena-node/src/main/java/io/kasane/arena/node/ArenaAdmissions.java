/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaToken;
import io.kasane.host.config.ArenaSettings;
import io.kasane.host.view.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual keyspaces {@value #KEYSPACE} and {@value #MEMORY_KEYSPACE}: in each a table for each
 * that has an arena, named {@code KEYSPACE_TABLE}. Whoever may SELECT from it gets a token, with
 * which the process beside the node answers him from that arena, or opens its memory to him.
 */
final class ArenaAdmissions {
  static final String KEYSPACE = "kasane_arenas";

  static final String MEMORY_KEYSPACE = "kasane_arena_memory";

  private static final Duration VALID = Duration.ofHours(1);

  private ArenaAdmissions() {}

  /**
   * Makes it visible.
   *
   * @param key that signs tokens
   */
  static void register(ArenaSettings settings, ArenaSettings.Server server, byte[] key) {
    for (String in : List.of(KEYSPACE, MEMORY_KEYSPACE)) {
      List<VirtualTable> tables =
          settings.tables().keySet().stream().map(table -> table(in, table, server, key)).toList();
      VirtualKeyspaceRegistry.instance.register(new VirtualKeyspace(in, tables));
    }
  }

  private static VirtualTable table(
      String in, String name, ArenaSettings.Server server, byte[] key) {
    boolean opensMemory = in.equals(MEMORY_KEYSPACE);
    int dot = name.indexOf('.');
    String keyspace = name.substring(0, dot);
    String table = name.substring(dot + 1);
    return Views.table(
        in,
        "\"" + keyspace + "_" + table + "\"",
        opensMemory
            ? "Who opens the memory of the arena of " + name + ", and a token to read and write it"
            : "Who serves the arena of " + name + " to other hosts, and a token for it",
        "host text PRIMARY KEY, port int, admission text, expires timestamp",
        1,
        rows -> row(rows, keyspace, table, server, key, opensMemory));
  }

  private static void row(
      SimpleDataSet rows,
      String keyspace,
      String table,
      ArenaSettings.Server server,
      byte[] key,
      boolean opensMemory) {
    TableMetadata now = Schema.instance.getTableMetadata(keyspace, table);
    if (now == null) {
      return;
    }
    Instant expires = Instant.now().plus(VALID);
    ArenaToken token =
        new ArenaToken(keyspace + "." + table, now.id.asUUID(), expires, opensMemory);
    rows.row(server.host())
        .column("port", server.port())
        .column("admission", token.sign(key))
        .column("expires", Date.from(expires));
  }
}
