/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TableCheckTest {
  private static final ColumnFact EXTRA = new ColumnFact("note", "text", "regular", -1, "none");

  private static final TableContract CONTRACT =
      TableContract.of(new TreeMap<>(Map.of("gcWindow", "PT1M", "mode", "FAST")));

  @Test
  void aTableAsThisLibraryMakesItIsTaken() {
    for (String comment :
        List.of(
            TableLayout.comment(CONTRACT),
            "kasane-ramp format 3; orders {mode=FAST,gcWindow=PT1M} of the shop",
            "kasane-ramp format 3 {gcWindow=PT1M, mode=ANY, more=yes}")) {
      assertThatCode(() -> TableCheck.check(table(columns -> {}, comment), CONTRACT))
          .as(comment)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void clientsThatDoNotAgreeAreRefused() {
    refused(
        table(columns -> {}, "kasane-ramp format 3 {gcWindow=PT1S, mode=SMALL}"),
        "gcWindow is PT1S in the table and PT1M here; mode is SMALL in the table and FAST here",
        "RampSessionBuilder.asTable",
        "ALTER TABLE shop.orders WITH comment = 'kasane-ramp format 3"
            + " {gcWindow=PT1M, mode=FAST}'");
    refused(table(columns -> {}, "kasane-ramp format 3 {mode=FAST}"), "gcWindow is nothing");
    refused(
        table(columns -> {}, "kasane-ramp format 3"),
        "does not say what its clients must share",
        "ALTER TABLE shop.orders WITH comment = 'kasane-ramp format 3 {gcWindow=PT1M, mode=FAST}'");
  }

  @Test
  void foreignColumnsAreRefused() {
    refused(table(columns -> columns.add(EXTRA), "kasane-ramp format 3"), "note text (regular)");
    refused(
        table(columns -> columns.removeIf(each -> each.name().equals("body")), ""),
        "a table of versions has",
        "body blob (regular)",
        "CREATE TABLE IF NOT EXISTS shop.orders");
    refused(
        table(
            columns -> {
              columns.removeIf(each -> each.name().equals("version"));
              columns.add(new ColumnFact("version", "blob", "clustering", 2, "desc"));
            },
            "kasane-ramp format 3"),
        "version blob (clustering 2, desc)");
  }

  @Test
  void tablesWithoutOurMarkAreRefused() {
    refused(
        table(columns -> {}, "mine"),
        "comment 'mine'",
        "ALTER TABLE shop.orders WITH comment = 'kasane-ramp format 3 {");
    refused(table(columns -> {}, "kasane-ramp format 1"), "format '1'", "format 3 only");
    refused(table(columns -> {}, "kasane-ramp format 22"), "format '22'");
  }

  @Test
  void optionsThatBreakTransactionsAreRefused() {
    refused(options(60, 864_000, "BLOCKING", false), "default_time_to_live = 60", "must be 0");
    refused(options(0, 60, "BLOCKING", false), "gc_grace_seconds = 60", "the least is 10800");
    refused(options(0, 864_000, "NONE", false), "read_repair = 'NONE'", "must be 'BLOCKING'");
    refused(options(0, 864_000, "BLOCKING", true), "cdc = true", "WITH cdc = false");
  }

  @Test
  void whoeverFollowsTheTableIsRefused() {
    refused(followed(Set.of("by_item"), Set.of(), Set.of()), "materialized views by_item");
    refused(followed(Set.of(), Set.of("audit"), Set.of()), "triggers audit", "DROP TRIGGER");
    refused(followed(Set.of(), Set.of(), Set.of("idx")), "indexes idx", "DROP INDEX");
  }

  private static void refused(TableFacts table, String... words) {
    assertThatThrownBy(() -> TableCheck.check(table, CONTRACT))
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("shop.orders")
        .hasMessageContainingAll(words);
  }

  private static TableFacts table(Consumer<Set<ColumnFact>> change, String comment) {
    Set<ColumnFact> columns = new HashSet<>(TableLayout.COLUMNS);
    change.accept(columns);
    return new TableFacts(
        "shop",
        "orders",
        columns,
        comment,
        0,
        864_000,
        "BLOCKING",
        false,
        Set.of(),
        Set.of(),
        Set.of());
  }

  private static TableFacts options(
      int timeToLiveSeconds, int gcGraceSeconds, String readRepair, boolean capture) {
    return new TableFacts(
        "shop",
        "orders",
        Set.copyOf(TableLayout.COLUMNS),
        TableLayout.comment(CONTRACT),
        timeToLiveSeconds,
        gcGraceSeconds,
        readRepair,
        capture,
        Set.of(),
        Set.of(),
        Set.of());
  }

  private static TableFacts followed(Set<String> views, Set<String> triggers, Set<String> indexes) {
    return new TableFacts(
        "shop",
        "orders",
        Set.copyOf(TableLayout.COLUMNS),
        TableLayout.comment(CONTRACT),
        0,
        864_000,
        "BLOCKING",
        false,
        views,
        triggers,
        indexes);
  }
}
