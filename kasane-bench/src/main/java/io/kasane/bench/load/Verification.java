/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads rows from all replicas after a run: no acknowledged write may be missing from all. */
public final class Verification {
  private static final int ATTEMPTS = 5;

  private Verification() {}

  /** Reads the rows; what is wrong, or cannot be read, is counted by the cells. */
  public static void read(CqlSession session, CheckedCells cells, IntStream rows) {
    read(session, cells, rows, ConsistencyLevel.ALL);
  }

  /** The same where not all replicas are up. */
  public static void read(
      CqlSession session, CheckedCells cells, IntStream rows, ConsistencyLevel consistency) {
    CqlBinding binding = new CqlBinding(session, consistency);
    rows.forEach(
        row -> {
          int[] oldest = cells.oldestAllowed(row);
          Map<String, ByteIterator> found = new HashMap<>();
          Status status = read(binding, Table.key(row), found);
          if (!isAnswer(status)) {
            cells.unread(row, status.toString());
            return;
          }
          for (int field = 0; field < Table.FIELDS; field++) {
            ByteIterator value = found.get(Table.FIELD_NAMES.get(field));
            cells.checkNewest(row, field, oldest[field], value == null ? null : value.toString());
          }
        });
  }

  /** Replicas may be slow after a load, which says nothing about what they hold. */
  private static Status read(CqlBinding binding, String key, Map<String, ByteIterator> found) {
    Status status = binding.read(Table.NAME, key, null, found);
    for (int attempt = 2; attempt <= ATTEMPTS && !isAnswer(status); attempt++) {
      status = binding.read(Table.NAME, key, null, found);
    }
    return status;
  }

  private static boolean isAnswer(Status status) {
    return status.equals(Status.OK) || status.equals(Status.NOT_FOUND);
  }
}
