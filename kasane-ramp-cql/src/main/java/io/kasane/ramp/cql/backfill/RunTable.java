/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.kasane.ramp.cql.schema.TableLayout;
import java.time.Instant;
import java.util.Optional;

/**
 * The runs of backfills into a keyspace, in a plain table there: the newest one of each name is the
 * one that goes on. A run that was begun again has a row of its own, so that a process that is
 * still at the former one does not move it. Thread-safe.
 */
final class RunTable {
  /** Its name, in each keyspace that something was copied to. */
  static final String NAME = "kasane_backfills";

  private final CqlSession session;
  private final String table;

  private RunTable(CqlSession session, String table) {
    this.session = session;
    this.table = table;
  }

  /** Makes it if it is missing, for which alone CREATE must be granted. */
  static RunTable open(CqlSession session, String keyspace) {
    RunTable runs = new RunTable(session, TableLayout.qualified(keyspace, NAME));
    boolean exists =
        session
            .getMetadata()
            .getKeyspace(CqlIdentifier.fromInternal(keyspace))
            .flatMap(found -> found.getTable(NAME))
            .isPresent();
    if (!exists) {
      runs.create();
    }
    return runs;
  }

  private void create() {
    execute(
        SimpleStatement.newInstance(
            "CREATE TABLE IF NOT EXISTS "
                + table
                + " (name text, began timestamp, source text, position bigint, saved timestamp,"
                + " rows_read bigint, seeds bigint, written bigint, expiring bigint,"
                + " PRIMARY KEY (name, began)) WITH CLUSTERING ORDER BY (began DESC)"
                + " AND comment = 'how far kasane ramp backfill is'"));
  }

  /**
   * The newest run of that name.
   *
   * @throws BackfillException if it is damaged
   */
  Optional<Run> newest(String name) {
    return Optional.ofNullable(
            execute(
                SimpleStatement.newInstance(
                    "SELECT began, source, position, rows_read, seeds, written, expiring FROM "
                        + table
                        + " WHERE name = ? LIMIT 1",
                    name)))
        .map(row -> run(name, row));
  }

  private Run run(String name, Row row) {
    if (row.isNull("source") || row.isNull("position")) {
      throw new BackfillException(
          "the row of backfill "
              + name
              + " in "
              + table
              + " lacks its source or position: somebody changed it. Begin again with --restart");
    }
    return new Run(
        row.getInstant("began"),
        row.getString("source"),
        row.getLong("position"),
        new BackfillCounts(
            row.getLong("rows_read"),
            row.getLong("seeds"),
            row.getLong("written"),
            0,
            row.getLong("expiring")));
  }

  /** Keeps how far a run is. */
  void save(String name, Run run) {
    BackfillCounts counts = run.counts();
    execute(
        SimpleStatement.newInstance(
            "INSERT INTO "
                + table
                + " (name, began, source, position, saved, rows_read, seeds, written, expiring)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            name,
            run.began(),
            run.source(),
            run.position(),
            Instant.now(),
            counts.rows(),
            counts.seeds(),
            counts.written(),
            counts.expiring()));
  }

  private Row execute(SimpleStatement statement) {
    try {
      return session
          .execute(statement.setConsistencyLevel(ConsistencyLevel.QUORUM).setIdempotent(true))
          .one();
    } catch (QueryValidationException e) {
      throw new BackfillException(
          "cannot keep how far the backfill is in "
              + table
              + ": "
              + e.getMessage()
              + ". Grant CREATE on the keyspace, and SELECT and MODIFY on the table; drop it if it"
              + " is another one of that name",
          e);
    }
  }
}
