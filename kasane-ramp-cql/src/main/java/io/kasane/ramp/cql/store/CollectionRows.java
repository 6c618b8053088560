/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The items of a collection, from the rows of its generations.
 *
 * @param versions the newest version of each item, a map of the caller's
 * @param doubtful live ones that may be older than a deletion that a sweep left behind: they are no
 *     newer than that, and no sweep copied them
 */
record CollectionRows(Map<ItemKey, Version> versions, List<ItemKey> doubtful) {
  /** Of what was read, generations that count no more among it. */
  static CollectionRows of(CollectionKey collection, List<Row> rows, Generations generations) {
    Map<ItemKey, Version> versions = new HashMap<>();
    Set<ItemKey> doubtful = new HashSet<>();
    for (Row row : rows) {
      ByteBuffer body = row.getByteBuffer(TableLayout.BODY);
      if (body == null || !isOf(row, generations)) {
        continue;
      }
      ItemKey key = new ItemKey(collection.table(), collection.partition(), item(row));
      Version version = Bodies.item(key, body);
      Version before = versions.get(key);
      if (before != null && !version.timestamp().isAfter(before.timestamp())) {
        if (isCopy(row) && version.timestamp().equals(before.timestamp())) {
          doubtful.remove(key);
        }
        continue;
      }
      versions.put(key, version);
      doubtful.remove(key);
      if (!version.isDeletion()
          && !isCopy(row)
          && !version.timestamp().isAfter(generations.horizon())) {
        doubtful.add(key);
      }
    }
    return new CollectionRows(versions, new ArrayList<>(doubtful));
  }

  private static boolean isOf(Row row, Generations generations) {
    int kind = row.getInt(TableLayout.KIND);
    return kind >= generations.first() && kind != TableLayout.GENERATIONS;
  }

  private static Bytes item(Row row) {
    return Bytes.copyOf(row.getByteBuffer(TableLayout.ITEM));
  }

  private static boolean isCopy(Row row) {
    return row.getByteBuffer(TableLayout.VERSION).hasRemaining();
  }
}
