/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.demo;

import io.kasane.cli.command.TextTable;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows both sides: a table that is written over on a terminal, a line now and then elsewhere. */
final class DemoScreen {
  private static final int LINE_SECONDS = 5;

  private final PrintWriter out;
  private final boolean terminal;
  private int linesToWriteOver;
  private double nextLineSeconds;

  DemoScreen(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Tells a step. */
  void step(String text) {
    out.println(text);
    out.flush();
  }

  /** Shows where both stand. */
  void show(double seconds, DemoSide.Counts batch, DemoSide.Counts ramp) {
    if (terminal) {
      String text = table(seconds, batch, ramp);
      writeOver();
      out.print(text);
      linesToWriteOver = (int) text.lines().count();
    } else if (seconds >= nextLineSeconds) {
      nextLineSeconds = seconds + LINE_SECONDS;
      out.printf(
          Locale.ROOT,
          "  %3.0f s  LOGGED BATCH: %,d halves in %,d reads   RAMP: %,d halves in %,d reads%n",
          seconds,
          batch.halves(),
          batch.reads(),
          ramp.halves(),
          ramp.reads());
    }
    out.flush();
  }

  /** Shows how it ended, and leaves that on the screen. */
  void end(double seconds, DemoSide.Counts batch, DemoSide.Counts ramp) {
    writeOver();
    out.println();
    out.print(table(seconds, batch, ramp));
    out.flush();
  }

  private void writeOver() {
    if (linesToWriteOver > 0) {
      out.print("\033[" + linesToWriteOver + "A\r\033[J");
      linesToWriteOver = 0;
    }
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
