/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import java.io.PrintWriter;
import java.time.Duration;

/** Says where a long experiment stands and how long it will still take. */
public final class Progress {
  private final PrintWriter out;
  private final boolean live;
  private final int steps;
  private final long beganNanos = System.nanoTime();
  private int done;
  private String step = "";
  private Duration guessPerStep;

  /**
   * Starts the clock.
   *
   * @param live whether the line may be written over, as on a terminal
   * @param steps how many steps there are
   * @param guessPerStep how long one takes, until some have been seen
   */
  public Progress(PrintWriter out, boolean live, int steps, Duration guessPerStep) {
    this.out = out;
    this.live = live;
    this.steps = steps;
    this.guessPerStep = guessPerStep;
  }

  /** Begins a step. */
  public void begin(String name) {
    step = name;
    if (!live) {
      out.println(line("about " + left() + " left"));
      out.flush();
    }
  }

  /** Says more about the step. */
  public void say(String what) {
    if (live) {
      out.print("\r\u001b[K" + line(what + ", about " + left() + " left"));
      out.flush();
    }
  }

  /** Ends the step with its result. */
  public void end(String result) {
    done++;
    guessPerStep = Duration.ofNanos((System.nanoTime() - beganNanos) / done);
    out.println((live ? "\r\u001b[K" : "") + "[%d/%d] %s: %s".formatted(done, steps, step, result));
    out.flush();
  }

  private String line(String what) {
    return "[%d/%d] %s: %s".formatted(done + 1, steps, step, what);
  }

  private String left() {
    long seconds = guessPerStep.multipliedBy(steps - done).toSeconds();
    return seconds < 90 ? seconds + " s" : (seconds + 59) / 60 + " min";
  }
}
