/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import java.util.List;

/** The tables of {@link CqlTwins}: something of each kind that a table may have. */
final class TwinSchema {
  static final String TYPE = "CREATE TYPE twins.pair (a int, b text)";

  private TwinSchema() {}

  static String keyspace(int replicas) {
    return "CREATE KEYSPACE twins WITH replication = {'class': 'SimpleStrategy',"
        + " 'replication_factor': %d}".formatted(replicas);
  }

  /** One engine's tables, by the name of a memtable. */
  static List<String> tables(String engine) {
    return List.of(
        "CREATE TABLE twins.rows_"
            + engine
            + " (id int, c int, d text, s text STATIC, sm map<text, int> STATIC, v int, t text,"
            + " m map<int, text>, l list<int>, e set<int>, f frozen<pair>, u pair,"
            + " PRIMARY KEY (id, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC) AND memtable = '"
            + engine
            + "'",
        "CREATE INDEX by_v_" + engine + " ON twins.rows_" + engine + " (v)",
        "CREATE TABLE twins.counts_"
            + engine
            + " (id int, c int, n counter, PRIMARY KEY (id, c)) WITH memtable = '"
            + engine
            + "'",
        "CREATE TABLE twins.odds_"
            + engine
            + " (id int, f float, p frozen<tuple<int, text>>, i varint, v int, w double,"
            + " PRIMARY KEY (id, f, p, i)) WITH CLUSTERING ORDER BY (f ASC, p DESC, i ASC)"
            + " AND memtable = '"
            + engine
            + "'",
        "CREATE INDEX by_w_" + engine + " ON twins.odds_" + engine + " (w)");
  }
}
