/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.heal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.version.CorruptVersionException;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Goes through a table and reads each transaction's keys together, so that those that lost versions
 * are found. That is possible where siblings are named; of the others nobody can tell. For one
 * thread.
 */
public final class LossScan {
  private static final int REMEMBERED = 1_000_000;
  private static final int PAGE_ROWS = 500;

  private final CqlSession session;
  private final String keyspace;
  private final Healing healing;
  private final Set<Timestamp> seen = new LinkedHashSet<>();

  /**
   * Scans by way of that session.
   *
   * @param session stays the caller's
   * @param healing reads the keys, and heals
   */
  public LossScan(CqlSession session, String keyspace, Healing healing) {
    this.session = session;
    this.keyspace = keyspace;
    this.healing = healing;
  }

  /**
   * What was gone through.
   *
   * @param keys how many keys the table shows
   * @param unnamed of how many of them the siblings are not named
   * @param damaged how many have bytes that are no version
   */
  public record Result(long keys, long unnamed, long damaged) {}

  /** Goes through a table. */
  public Result scan(String table) {
    SimpleStatement rows =
        SimpleStatement.newInstance(
                "SELECT kind, body FROM " + TableLayout.qualified(keyspace, table))
            .setConsistencyLevel(ConsistencyLevel.QUORUM)
            .setIdempotent(true)
            .setPageSize(PAGE_ROWS);
    long keys = 0;
    long unnamed = 0;
    long damaged = 0;
    for (Row row : session.execute(rows)) {
      ByteBuffer body = row.getByteBuffer(TableLayout.BODY);
      int kind = row.getInt(TableLayout.KIND);
      if (kind == TableLayout.PREPARED || kind == TableLayout.GENERATIONS || body == null) {
        continue;
      }
      keys += kind == TableLayout.DELETED ? 0 : 1;
      try {
        unnamed += check(VersionCodec.decode(body)) ? 0 : 1;
      } catch (CorruptVersionException e) {
        damaged++;
      }
    }
    return new Result(keys, unnamed, damaged);
  }

  /** Whether that can be told. */
  private boolean check(Version version) {
    if (version.siblings().mode() != Mode.FAST) {
      return false;
    }
    if (version.siblings().names().size() > 1 && seen.add(version.timestamp())) {
      if (seen.size() > REMEMBERED) {
        seen.remove(seen.iterator().next());
      }
      healing.read(version.siblings().names());
    }
    return true;
  }
}
