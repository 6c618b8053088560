/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaWriter;
import io.kasane.host.view.Views;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualTable;

/** {@code kasane_views.arenas}; docs/operate/arena.md explains it. */
final class ArenaView {
  private ArenaView() {}

  static VirtualTable of(NodeArenas arenas) {
    return Views.table(
        "arenas",
        "Tables of this node that can be read from shared memory",
        "keyspace_name text, table_name text, bytes bigint, slots int, keys int,"
            + " is_filled boolean, updates bigint, fills bigint, late_fills bigint,"
            + " declined bigint, evictions bigint, too_large bigint,"
            + " PRIMARY KEY ((keyspace_name, table_name))",
        2,
        rows -> arenas.all().forEach(arena -> row(rows, arena)));
  }

  private static void row(SimpleDataSet rows, TableArena arena) {
    ArenaWriter writer = arena.writer();
    ArenaWriter.Statistics seen = writer.statistics();
    rows.row(arena.table().keyspace, arena.table().name)
        .column("bytes", writer.fileBytes())
        .column("slots", writer.slots())
        .column("keys", writer.keys())
        .column("is_filled", !arena.isBeingTruncated())
        .column("updates", seen.updates())
        .column("fills", seen.fills())
        .column("late_fills", seen.lateFills())
        .column("declined", seen.declined())
        .column("evictions", seen.evictions())
        .column("too_large", seen.tooLarge());
  }
}
