/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads rows from all replicas after a run: no acknowledged write may be missing from all. */
public final class Verification {
  private static final int ATTEMPTS = 5;

  private Verification() {}

  /**
   * Reads the rows; what is wrong is counted by the cells.
   *
   * @throws NodeException if the replicas do not answer
   */
  public static void read(CqlSession session, CheckedCells cells, IntStream rows) {
    CqlBinding binding = new CqlBinding(session, ConsistencyLevel.ALL);
    rows.forEach(
        row -> {
          int[] oldest = cells.oldestAllowed(row);
          Map<String, ByteIterator> found = read(binding, Table.key(row));
          for (int field = 0; field < Table.FIELDS; field++) {
            ByteIterator value = found.get(Table.FIELD_NAMES.get(field));
            cells.checkNewest(row, field, oldest[field], value == null ? null : value.toString());
          }
        });
  }

  /** Replicas may be slow after a load, which says nothing about what they hold. */
  private static Map<String, ByteIterator> read(CqlBinding binding, String key) {
    Status status = Status.OK;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Map<String, ByteIterator> found = new HashMap<>();
      status = binding.read(Table.NAME, key, null, found);
      if (status.equals(Status.OK) || status.equals(Status.NOT_FOUND)) {
        return found;
      }
    }
    throw new NodeException(
        "row "
            + key
            + " could not be read from all replicas after the load: "
            + status.getName()
            + ", "
            + status.getDescription());
  }
}
