/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether reads that are steered away from a kind of nodes are asked of it after all. */
final class KindChecks {
  static final String SUBJECT = "kinds";
  private static final String TABLES =
      "SELECT keyspace_name, table_name, speculative_retry FROM system_schema.tables";
  private static final Pattern PERCENTILE = Pattern.compile("([0-9.]+)P(ERCENTILE)?");

  /** One read of twenty and more. */
  private static final double LEAST_PERCENTILE = 95;

  private KindChecks() {}

  /** Asks the node. */
  static List<Finding> ask(CqlSession session) {
    return of(retries(session));
  }

  /** {@code speculative_retry} of the users' tables by their names. */
  static Map<String, String> retries(CqlSession session) {
    Map<String, String> retries = new LinkedHashMap<>();
    for (Row row : session.execute(TABLES)) {
      String keyspace = row.getString(0);
      if (!keyspace.equals("system") && !keyspace.startsWith("system_")) {
        retries.put(keyspace + "." + row.getString(1), row.getString(2));
      }
    }
    return retries;
  }

  /**
   * Judges what a node told.
   *
   * @param retries {@code speculative_retry} of tables by their names
   */
  static List<Finding> of(Map<String, String> retries) {
    List<Finding> warnings =
        retries.entrySet().stream()
            .filter(table -> asksManyAnother(table.getValue().toUpperCase(Locale.ROOT)))
            .map(table -> warning(table.getKey(), table.getValue()))
            .toList();
    return warnings.isEmpty()
        ? List.of(Finding.ok(SUBJECT, "reads are not repeated on the nodes that they avoid"))
        : warnings;
  }

  private static boolean asksManyAnother(String retry) {
    Matcher percentile = PERCENTILE.matcher(retry);
    return retry.equals("ALWAYS")
        || (percentile.matches() && Double.parseDouble(percentile.group(1)) < LEAST_PERCENTILE);
  }

  private static Finding warning(String table, String retry) {
    return Finding.warn(
        SUBJECT,
        "speculative_retry of "
            + table
            + " is "
            + retry
            + ": so many reads are asked of a node more, which is one of the kind that they are to"
            + " avoid. ALTER TABLE "
            + table
            + " WITH speculative_retry = '99p', or 'NONE'");
  }
}
