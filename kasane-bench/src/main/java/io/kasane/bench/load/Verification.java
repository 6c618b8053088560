/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import site.ycsb.ByteIterator;

/** Reads rows from all replicas after a run: no acknowledged write may be missing from all. */
public final class Verification {
  private Verification() {}

  /** Reads the rows; what is wrong is counted by the cells. */
  public static void read(CqlSession session, CheckedCells cells, IntStream rows) {
    CqlBinding binding = new CqlBinding(session, ConsistencyLevel.ALL);
    rows.forEach(
        row -> {
          int[] oldest = cells.oldestAllowed(row);
          Map<String, ByteIterator> found = new HashMap<>();
          binding.read(Table.NAME, Table.key(row), null, found);
          for (int field = 0; field < Table.FIELDS; field++) {
            ByteIterator value = found.get(Table.FIELD_NAMES.get(field));
            cells.checkNewest(row, field, oldest[field], value == null ? null : value.toString());
          }
        });
  }
}
