/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A source of numbered rows, whose value says which they are. */
final class PlainTable {
  static final String KEYSPACE = "plain";

  private final CqlSession cql;
  private final String name;

  private PlainTable(CqlSession cql, String name) {
    this.cql = cql;
    this.name = name;
  }

  static PlainTable create(CqlSession cql, String name) {
    createKeyspace(cql);
    cql.execute("CREATE TABLE plain." + name + " (id int PRIMARY KEY, value text)");
    return new PlainTable(cql, name);
  }

  static void createKeyspace(CqlSession cql) {
    cql.execute(
        "CREATE KEYSPACE IF NOT EXISTS plain WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
  }

  static String textOf(int id) {
    return "source " + id;
  }

  String name() {
    return name;
  }

  PlainTable fill(int from, int to) {
    PreparedStatement insert =
        cql.prepare("INSERT INTO plain." + name + " (id, value) VALUES (?, ?)");
    for (int first = from; first < to; first += 200) {
      CompletableFuture.allOf(
              IntStream.range(first, Math.min(to, first + 200))
                  .mapToObj(id -> cql.executeAsync(insert.bind(id, textOf(id))))
                  .map(stage -> stage.toCompletableFuture())
                  .toArray(CompletableFuture[]::new))
          .join();
    }
    return this;
  }
}
