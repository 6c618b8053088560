/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened in a schedule, in words, for whoever has to understand a violation. */
final class Trace {
  private static final int MAX_LINES = 20_000;

  private final boolean on;
  private final List<String> lines = new ArrayList<>();

  Trace(boolean on) {
    this.on = on;
  }

  void add(EventLoop loop, Supplier<String> line) {
    if (on && lines.size() < MAX_LINES) {
      lines.add(String.format("%12d  %s", loop.nowMicros(), line.get()));
    }
  }

  List<String> lines() {
    return lines;
  }
}
