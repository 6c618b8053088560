/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeSettings;
import io.kasane.node.views.KnownHeat;
import java.util.List;
import java.util.Locale;

/** Whether a running node can know the heat of as many rows as its fast disk has room for. */
final class HeatChecks {
  static final String SUBJECT = "heat";

  private HeatChecks() {}

  /** Asks the node. */
  static List<Finding> ask(CqlSession session, NodeSettings node) {
    return of(KnownHeat.of(session, node.address(), node.nativePort()));
  }

  /** Judges what a node told. */
  static List<Finding> of(List<KnownHeat> tables) {
    List<Finding> warnings =
        tables.stream().filter(table -> table.share() < 1).map(HeatChecks::warning).toList();
    return warnings.isEmpty()
        ? List.of(Finding.ok(SUBJECT, "can be known of all rows that fast has room for"))
        : warnings;
  }

  private static Finding warning(KnownHeat table) {
    return Finding.warn(
        SUBJECT,
        String.format(
            Locale.ROOT,
            "of %s it can be known of %.0f %% of the rows that fit on fast, the rest of it is left"
                + " to chance. Set heat_memory in kasane.yaml to %.1f times as much (and the"
                + " table's heat_capacity, if it has one), or give the table a smaller quota",
            table.table(),
            Math.floor(100 * table.share()),
            1 / table.share()));
  }
}
