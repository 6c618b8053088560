/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.heal.Healing;
import io.kasane.ramp.cql.heal.LossScan;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was said to be lost, and whether it was.
 *
 * @param healed the transactions that could not be read
 * @param lostVersions how many versions of theirs were named
 * @param stillThere those that a replica has nevertheless
 */
record LossReport(
    Map<Timestamp, LostVersionException> healed, int lostVersions, List<String> stillThere) {

  /** Heals both tables; looks for what is named at all replicas, behind RAMP's back. */
  static LossReport heal(CqlSession cql, String keyspace) {
    Map<Timestamp, LostVersionException> healed = new LinkedHashMap<>();
    try (RampSession session = RampSession.builder(cql, keyspace).options(Load.SHARED).build()) {
      Healing healing =
          new Healing(session, true, (lost, as) -> healed.put(lost.timestamp(), lost));
      LossScan scan = new LossScan(cql, keyspace, healing);
      scan.scan(LoadKeys.COLLECTIONS);
      scan.scan(LoadKeys.TABLE);
    }
    List<String> stillThere = new ArrayList<>();
    int versions = 0;
    for (LostVersionException lost : healed.values()) {
      for (ItemKey key : lost.lost()) {
        versions++;
        if (isThere(cql, keyspace, key, lost.timestamp())) {
          stillThere.add(key + " of " + lost.timestamp());
        }
      }
    }
    return new LossReport(healed, versions, stillThere);
  }

  private static boolean isThere(
      CqlSession cql, String keyspace, ItemKey key, Timestamp timestamp) {
    SimpleStatement rows =
        SimpleStatement.newInstance(
                "SELECT body FROM "
                    + keyspace
                    + "."
                    + key.table()
                    + " WHERE partition = ? AND kind >= -1 AND item = ? ALLOW FILTERING",
                key.partition().toBuffer(),
                key.item().toBuffer())
            .setConsistencyLevel(ConsistencyLevel.ALL);
    for (Row row : cql.execute(rows)) {
      if (Timestamp.read(row.getByteBuffer("body")).equals(timestamp)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return String.format(
        "%d transactions were stuck over %d lost versions, of which %d are still there; all healed",
        healed.size(), lostVersions, stillThere.size());
  }
}
