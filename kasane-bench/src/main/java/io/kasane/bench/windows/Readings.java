/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The table: what sensors have measured, a partition for each sensor and minute. Thread-safe. */
final class Readings {
  static final String KEYSPACE = "bench";
  static final String NAME = "readings";

  /** As a dashboard shows. */
  static final int READ_ROWS = 5;

  private static final String QUALIFIED = KEYSPACE + "." + NAME;
  private static final int TEXT_LENGTH = 1_000;
  private static final int LETTERS = 26;

  private final CqlSession session;
  private final PreparedStatement insert;
  private final PreparedStatement insertOld;
  private final PreparedStatement select;

  Readings(CqlSession session) {
    this.session = session;
    this.insert =
        session.prepare(
            "INSERT INTO " + QUALIFIED + " (sensor, minute, at, value) VALUES (?, ?, ?, ?)");
    this.insertOld =
        session.prepare(
            "INSERT INTO "
                + QUALIFIED
                + " (sensor, minute, at, value) VALUES (?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?");
    this.select =
        session.prepare(
            "SELECT at, value FROM "
                + QUALIFIED
                + " WHERE sensor = ? AND minute = ? ORDER BY at DESC LIMIT "
                + READ_ROWS);
  }

  static void create(CqlSession session, int liveSeconds, String compaction) {
    session.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE "
            + QUALIFIED
            + " (sensor int, minute bigint, at int, value text, PRIMARY KEY ((sensor, minute), at))"
            + " WITH gc_grace_seconds = 0 AND default_time_to_live = "
            + liveSeconds
            + " AND compaction = "
            + compaction);
  }

  void insert(int sensor, long minute, int at) {
    session.execute(insert.bind(sensor, minute, at, text(sensor, minute, at)));
  }

  /** The same as if it had been written before. */
  void insert(int sensor, long minute, int at, long atMillis, int leftSeconds) {
    session.execute(
        insertOld.bind(
            sensor,
            minute,
            at,
            text(sensor, minute, at),
            TimeUnit.MILLISECONDS.toMicros(atMillis),
            leftSeconds));
  }

  /**
   * Reads the newest rows of a partition.
   *
   * @param atLeast the number of a row that must be among them or before them; 0 for none
   * @return what is wrong with them, or null
   */
  String read(int sensor, long minute, int atLeast) {
    List<Row> rows = session.execute(select.bind(sensor, minute)).all();
    if (atLeast > 0 && (rows.isEmpty() || rows.get(0).getInt(0) < atLeast)) {
      return "sensor %d, minute %d: row %d is missing".formatted(sensor, minute, atLeast);
    }
    for (Row row : rows) {
      if (!text(sensor, minute, row.getInt(0)).equals(row.getString(1))) {
        return "sensor %d, minute %d, row %d: not what was written"
            .formatted(sensor, minute, row.getInt(0));
      }
    }
    return null;
  }

  /** Compression gains nothing on it. */
  private static String text(int sensor, long minute, int at) {
    SplittableRandom random = new SplittableRandom(31 * (31 * minute + sensor) + at);
    char[] letters = new char[TEXT_LENGTH];
    for (int i = 0; i < letters.length; i++) {
      int letter = random.nextInt(2 * LETTERS);
      letters[i] = (char) (letter < LETTERS ? 'a' + letter : 'A' + letter - LETTERS);
    }
    return new String(letters);
  }
}
