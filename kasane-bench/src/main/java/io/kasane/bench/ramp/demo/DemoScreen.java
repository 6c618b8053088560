/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.demo;

import io.kasane.bench.report.LiveTable;
import io.kasane.cli.output.TextTable;
import java.util.Locale;

/** Shows both sides. */
final class DemoScreen {
  private final LiveTable live;

  DemoScreen(LiveTable live) {
    this.live = live;
  }

  /** Shows where both stand. */
  void show(double seconds, DemoSide.Counts batch, DemoSide.Counts ramp) {
    live.show(
        seconds,
        table(seconds, batch, ramp),
        String.format(
            Locale.ROOT,
            "  %3.0f s  LOGGED BATCH: %,d halves in %,d reads   RAMP: %,d halves in %,d reads",
            seconds,
            batch.halves(),
            batch.reads(),
            ramp.halves(),
            ramp.reads()));
  }

  /** Shows how it ended, and leaves that on the screen. */
  void end(double seconds, DemoSide.Counts batch, DemoSide.Counts ramp) {
    live.end(table(seconds, batch, ramp));
  }

  private static String table(double seconds, DemoSide.Counts batch, DemoSide.Counts ramp) {
    String text =
        new TextTable("after %.0f s".formatted(seconds), "LOGGED BATCH", "RAMP")
            .row("both entries written", number(batch.writes()), number(ramp.writes()))
            .row("both entries read", number(batch.reads()), number(ramp.reads()))
            .row("halves seen", number(batch.halves()), number(ramp.halves()))
            .row("without answer", number(batch.failed()), number(ramp.failed()))
            .toString();
    return batch.lastContradiction() == null
        ? text
        : text
            + "LOGGED BATCH, last seen: "
            + batch.lastContradiction()
            + "."
            + System.lineSeparator();
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
