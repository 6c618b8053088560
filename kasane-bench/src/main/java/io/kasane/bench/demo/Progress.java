/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells how far a long job is: one line rewritten in place on a terminal, a line every few seconds
 * in a file or pipe.
 */
final class Progress {
  private static final Duration TERMINAL_PERIOD = Duration.ofMillis(500);
  private static final Duration LINE_PERIOD = Duration.ofSeconds(5);
  private static final String REWRITE = "\r\033[K";

  private final PrintWriter out;
  private final boolean terminal;
  private Instant nextUpdate = Instant.MIN;
  private boolean unfinishedLine;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Prints a step that stays on the screen. */
  void step(String text) {
    endLine();
    out.println(text);
    out.flush();
  }

  /** Shows how many rows are loaded. */
  void loading(int done, int all) {
    update("  loaded %,d of %,d rows".formatted(done, all), done == all);
  }

  /** Shows a line, unless the last one is too recent. */
  void update(String text, boolean always) {
    Instant now = Instant.now();
    if (!always && now.isBefore(nextUpdate)) {
      return;
    }
    nextUpdate = now.plus(terminal ? TERMINAL_PERIOD : LINE_PERIOD);
    if (terminal) {
      out.print(REWRITE + text);
      unfinishedLine = true;
    } else {
      out.println(text);
    }
    out.flush();
  }

  /** Ends a line that was being rewritten, so that other text does not run into it. */
  void endLine() {
    if (unfinishedLine) {
      out.println();
      out.flush();
      unfinishedLine = false;
    }
  }
}
