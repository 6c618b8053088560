/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** One row a partition: inserts, overwrites, deletes, and rows that live for seconds only. */
final class CheckedRows extends CheckedTable<CheckedRows.State> {
  private static final int TTL_SECONDS = 2;
  private static final long SLACK_MILLIS = 8_000;

  private final int mostBytes;
  private int nextVersion = 1;
  private PreparedStatement insert;
  private PreparedStatement insertForSeconds;
  private PreparedStatement delete;
  private PreparedStatement select;

  CheckedRows(String name, int keys, int mostBytes) {
    super(name, keys, State.ABSENT);
    this.mostBytes = mostBytes;
  }

  /**
   * A row.
   *
   * @param version 0 if there is none
   * @param writtenAtMillis when a row that expires was sent; 0 if it does not expire
   */
  record State(int version, long writtenAtMillis) {
    static final State ABSENT = new State(0, 0);
  }

  @Override
  String columns() {
    return "id int PRIMARY KEY, v int, pad blob";
  }

  @Override
  void prepare(CqlSession open) {
    String table = qualifiedName();
    insert = open.prepare("INSERT INTO " + table + " (id, v, pad) VALUES (?, ?, ?)");
    insertForSeconds =
        open.prepare(
            "INSERT INTO " + table + " (id, v, pad) VALUES (?, ?, ?) USING TTL " + TTL_SECONDS);
    delete = open.prepare("DELETE FROM " + table + " WHERE id = ?");
    select = open.prepare("SELECT id, v, pad FROM " + table + " WHERE id = ?");
  }

  @Override
  Change<State> change(int key, State now, Random random) {
    int dice = random.nextInt(100);
    if (dice < 12) {
      return new Change<>(delete.bind(key), State.ABSENT);
    }
    int version = nextVersion++;
    ByteBuffer pad = ByteBuffer.wrap(pad(key, version, mostBytes));
    return dice < 17
        ? new Change<>(
            insertForSeconds.bind(key, version, pad),
            new State(version, System.currentTimeMillis()))
        : new Change<>(insert.bind(key, version, pad), new State(version, 0));
  }

  @Override
  BoundStatement read(int key) {
    return select.bind(key);
  }

  @Override
  String scan() {
    return "SELECT id, v, pad FROM " + qualifiedName();
  }

  @Override
  int keyOf(Row row) {
    return row.getInt("id");
  }

  @Override
  State decode(int key, List<Row> rows) {
    if (rows.isEmpty()) {
      return State.ABSENT;
    }
    int version = rows.get(0).getInt("v");
    if (!ByteBuffer.wrap(pad(key, version, mostBytes)).equals(rows.get(0).getByteBuffer("pad"))) {
      throw new AssertionError(qualifiedName() + " key " + key + ": not as written: " + version);
    }
    return new State(version, 0);
  }

  /** An answer may be looked at long after it came, where others of its step wait for a timeout. */
  @Override
  boolean accepts(State expected, State seen, long askedAtMillis) {
    if (expected.writtenAtMillis == 0) {
      return expected.version == seen.version;
    }
    long askedAgeMillis = askedAtMillis - expected.writtenAtMillis;
    long ageMillis = System.currentTimeMillis() - expected.writtenAtMillis;
    return seen.version == 0
        ? ageMillis > 1000L * (TTL_SECONDS - 1)
        : seen.version == expected.version && askedAgeMillis < 1000L * TTL_SECONDS + SLACK_MILLIS;
  }
}
