/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import java.net.InetSocketAddress;
import java.util.stream.Stream;

/** A backfill in a process of its own, which is there to be killed: ADDRESS PORT TABLE TARGET. */
final class BackfillProcess {
  private BackfillProcess() {}

  public static void main(String[] arguments) {
    try (CqlSession cql =
            CqlSession.builder()
                .addContactPoint(
                    new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])))
                .withLocalDatacenter("datacenter1")
                .build();
        RampSession session = RampSession.open(cql, "uses")) {
      RampTable<Integer, String> target =
          session.table(arguments[3], Codecs.int32(), Codecs.text());
      Backfill.of(
              PlainTable.KEYSPACE,
              arguments[2],
              row -> Stream.of(target.seed(row.getInt("id"), row.getString("value"))))
          .withPageRows(100)
          .withRowsPerSecond(200)
          .run(cql, "uses", session, progress -> {});
    }
  }
}
