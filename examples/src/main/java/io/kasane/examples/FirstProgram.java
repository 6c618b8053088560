/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;

/** An order and its lines, written and read at once, on a node at 127.0.0.1. */
public final class FirstProgram {
  private FirstProgram() {}

  /** Needs no arguments. */
  public static void main(String[] args) {
    try (CqlSession cql = CqlSession.builder().build()) {
      cql.execute(
          "CREATE KEYSPACE IF NOT EXISTS shop WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
      try (RampSession session = RampSession.open(cql, "shop")) {
        RampTable<String, String> orders = session.table("orders", Codecs.text(), Codecs.text());
        RampCollection<String, Integer, String> lines =
            session.collection("lines", Codecs.text(), Codecs.int32(), Codecs.text());

        session
            .write()
            .put(orders, "o-1", "for Ada")
            .put(lines, "o-1", 1, "2 pears")
            .put(lines, "o-1", 2, "3 plums")
            .commit();

        RampRows seen = session.read().get(orders, "o-1").items(lines, "o-1").run();
        System.out.println(seen.get(orders, "o-1").orElse("?") + " " + seen.items(lines, "o-1"));
      }
    }
  }
}
