/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * YCSB's database interface over the Apache Cassandra driver. Reads take the whole row, updates
 * write the given fields. Rows that are not there make a read {@link Status#NOT_FOUND}.
 */
public final class CqlBinding extends KeyedDb {
  private final CqlSession session;
  private final ConsistencyLevel consistency;
  private final PreparedStatement select;
  private final Map<Set<String>, PreparedStatement> updates = new ConcurrentHashMap<>();

  /** A binding over an open session, which it does not close; one replica answers. */
  public CqlBinding(CqlSession session) {
    this(session, ConsistencyLevel.ONE);
  }

  /** The same at another level of consistency, of reads and updates. */
  public CqlBinding(CqlSession session, ConsistencyLevel consistency) {
    this.session = session;
    this.consistency = consistency;
    this.select =
        session.prepare(
            "SELECT "
                + String.join(", ", Table.FIELD_NAMES)
                + " FROM "
                + Table.QUALIFIED
                + " WHERE y_id = ?");
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try {
      Row row = session.execute(select.bind(key).setConsistencyLevel(consistency)).one();
      if (row == null) {
        return Status.NOT_FOUND;
      }
      for (int i = 0; i < Table.FIELDS; i++) {
        String value = row.getString(i);
        if (value != null) {
          result.put(Table.FIELD_NAMES.get(i), new StringByteIterator(value));
        }
      }
      return Status.OK;
    } catch (DriverException e) {
      return new Status("ERROR", e.toString());
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return update(key, values, null);
  }

  /**
   * Writes some fields.
   *
   * @param timestampMicros of the write; null leaves it to the driver
   */
  public Status update(String key, Map<String, ByteIterator> values, Long timestampMicros) {
    PreparedStatement update = updates.computeIfAbsent(Set.copyOf(values.keySet()), this::prepare);
    BoundStatement bound = update.bind().setString("y_id", key).setConsistencyLevel(consistency);
    for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
      bound = bound.setString(value.getKey(), value.getValue().toString());
    }
    if (timestampMicros != null) {
      bound = bound.setQueryTimestamp(timestampMicros);
    }
    try {
      session.execute(bound);
      return Status.OK;
    } catch (DriverException e) {
      return new Status("ERROR", e.toString());
    }
  }

  private PreparedStatement prepare(Set<String> names) {
    String marks = ", ?".repeat(names.size());
    return session.prepare(
        "INSERT INTO "
            + Table.QUALIFIED
            + " (y_id, "
            + String.join(", ", names)
            + ") VALUES (?"
            + marks
            + ")");
  }
}
