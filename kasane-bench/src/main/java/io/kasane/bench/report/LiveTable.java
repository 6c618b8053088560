/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import java.io.PrintWriter;

/**
 * What goes on: a table that is written over on a terminal, a line now and then elsewhere. For one
 * thread.
 */
public final class LiveTable {
  private static final int LINE_SECONDS = 5;

  private final PrintWriter out;
  private final boolean terminal;
  private int linesToWriteOver;
  private double nextLineSeconds;

  /** Nothing is shown yet. */
  public LiveTable(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** One on what {@code kasane} was started on. */
  public static LiveTable on(PrintWriter out) {
    return new LiveTable(out, Boolean.getBoolean("kasane.terminal"));
  }

  /** Tells a step, which stays. */
  public void step(String text) {
    out.println(text);
    out.flush();
  }

  /**
   * Shows where it stands.
   *
   * @param seconds since it began
   * @param table lines, each with its end
   * @param line the same in one line
   */
  public void show(double seconds, String table, String line) {
    if (terminal) {
      writeOver();
      out.print(table);
      linesToWriteOver = (int) table.lines().count();
    } else if (seconds >= nextLineSeconds) {
      nextLineSeconds = seconds + LINE_SECONDS;
      out.println(line);
    }
    out.flush();
  }

  /** Shows how it ended, and leaves that. */
  public void end(String table) {
    writeOver();
    out.println();
    out.print(table);
    out.flush();
  }

  private void writeOver() {
    if (linesToWriteOver > 0) {
      out.print("\033[" + linesToWriteOver + "A\r\033[J");
      linesToWriteOver = 0;
    }
  }
}
