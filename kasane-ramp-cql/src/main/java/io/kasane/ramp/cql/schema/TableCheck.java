/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges whether a table keeps versions as the protocol needs them. */
public final class TableCheck {
  /** Cassandra's own hint window: what is hinted must not outlive the tombstones. */
  static final int MIN_GC_GRACE_SECONDS = 3 * 3600;

  private final TableFacts table;
  private final TableContract contract;
  private final String qualified;

  private TableCheck(TableFacts table, TableContract contract) {
    this.table = table;
    this.contract = contract;
    this.qualified = TableLayout.qualified(table.keyspace(), table.name());
  }

  /**
   * Returns if the table is fit.
   *
   * @param contract what this client has
   * @throws RefusedSchemaException if it is not, with what to do
   */
  public static void check(TableFacts table, TableContract contract) {
    TableCheck check = new TableCheck(table, contract);
    check.columns();
    check.mark();
    check.contract();
    check.options();
    check.followers();
  }

  private void columns() {
    if (!table.columns().equals(Set.copyOf(TableLayout.COLUMNS))) {
      throw refused(
          "has the columns "
              + table.columns().stream()
                  .sorted(
                      Comparator.comparing(ColumnFact::kind)
                          .thenComparing(ColumnFact::position)
                          .thenComparing(ColumnFact::name))
                  .map(ColumnFact::toString)
                  .collect(Collectors.joining(", "))
              + "; a table of versions has "
              + TableLayout.COLUMNS.stream()
                  .map(ColumnFact::toString)
                  .collect(Collectors.joining(", "))
              + ". Choose a name that is free, or create the table with: "
              + TableLayout.create(table.keyspace(), table.name(), contract));
    }
  }

  private void mark() {
    String comment = table.comment();
    String toMark = alter("comment = '" + TableLayout.comment(contract) + "'");
    if (!comment.startsWith(TableLayout.MARK)) {
      throw refused(
          "has the comment '"
              + comment
              + "', which must begin with '"
              + TableLayout.MARK
              + TableLayout.FORMAT
              + "'. If only this library writes to it: "
              + toMark);
    }
    String format = comment.substring(TableLayout.MARK.length()).split("\\W", 2)[0];
    if (!format.equals(Integer.toString(TableLayout.FORMAT))) {
      throw refused(
          "is marked with format '"
              + format
              + "'; this release reads and writes format "
              + TableLayout.FORMAT
              + " only. Use the release that wrote the table, or another table.");
    }
  }

  private void contract() {
    TableContract agreed =
        TableContract.in(table.comment())
            .orElseThrow(
                () ->
                    refused(
                        "does not say what its clients must share. If all of them are as this one: "
                            + alter("comment = '" + TableLayout.comment(contract) + "'")));
    List<String> differences = agreed.differences(contract);
    if (!differences.isEmpty()) {
      throw refused(
          "is shared by clients that agree on its comment, and this one does not: "
              + String.join("; ", differences)
              + ". Open the session with RampSessionBuilder.asTable, or change all clients: stop"
              + " them, "
              + lowerFirst(alter("comment = '" + TableLayout.comment(contract) + "'"))
              + ", and start them anew");
    }
  }

  private static String lowerFirst(String text) {
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private void options() {
    if (table.defaultTimeToLiveSeconds() != 0) {
      throw refused(
          "has default_time_to_live = "
              + table.defaultTimeToLiveSeconds()
              + ", which must be 0: versions of one transaction would vanish one by one. "
              + alter("default_time_to_live = 0"));
    }
    if (!table.readRepair().equals("BLOCKING")) {
      throw refused(
          "has read_repair = '"
              + table.readRepair()
              + "', which must be 'BLOCKING': else a version that was read may be gone for the next"
              + " reader. "
              + alter("read_repair = 'BLOCKING'"));
    }
    if (table.gcGraceSeconds() < MIN_GC_GRACE_SECONDS) {
      throw refused(
          "has gc_grace_seconds = "
              + table.gcGraceSeconds()
              + ", the least is "
              + MIN_GC_GRACE_SECONDS
              + ": late hints would bring back what was deleted. "
              + alter("gc_grace_seconds = 864000"));
    }
    if (table.changeDataCapture()) {
      throw refused(
          "has cdc = true, which must be false: it hands out versions that were never committed. "
              + alter("cdc = false"));
    }
  }

  private void followers() {
    none("materialized views", table.views(), "DROP MATERIALIZED VIEW");
    none("triggers", table.triggers(), "DROP TRIGGER");
    none("indexes", table.indexes(), "DROP INDEX");
  }

  private void none(String what, Set<String> names, String drop) {
    if (!names.isEmpty()) {
      throw refused(
          "has the "
              + what
              + " "
              + names.stream().sorted().collect(Collectors.joining(", "))
              + "; it must have none: they show or change versions behind the protocol's back. Use "
              + drop
              + ".");
    }
  }

  private String alter(String option) {
    return "Use ALTER TABLE " + qualified + " WITH " + option;
  }

  private RefusedSchemaException refused(String why) {
    return new RefusedSchemaException("Table " + qualified + " " + why);
  }
}
