/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.version.Bytes;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Goes through the partitions of tables, page by page. */
final class PartitionScan {
  private static final int PAGE_ROWS = 500;

  private final CqlSession session;
  private final String keyspace;
  private final ConsistencyLevel level;

  PartitionScan(CqlSession session, String keyspace, ConsistencyLevel level) {
    this.session = session;
    this.keyspace = keyspace;
    this.level = level;
  }

  /** All partitions of a table; waits for Cassandra while it is gone through. */
  Stream<Bytes> of(String table) {
    SimpleStatement partitions =
        SimpleStatement.newInstance(
                "SELECT DISTINCT partition FROM " + TableLayout.qualified(keyspace, table))
            .setConsistencyLevel(level)
            .setIdempotent(true)
            .setPageSize(PAGE_ROWS);
    return StreamSupport.stream(session.execute(partitions).spliterator(), false)
        .map(row -> Bytes.copyOf(row.getByteBuffer(TableLayout.PARTITION)));
  }
}
