/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a node stood still to collect garbage, by its JVM's log. */
final class Pauses {
  private static final Pattern PAUSE = Pattern.compile("Pause .* (\\d+\\.\\d+)ms$");

  private final Path log;
  private int linesBefore;

  Pauses(Path log) {
    this.log = log;
  }

  /** The flag that makes a JVM write such a log. */
  static String flag(Path log) {
    return "-Xlog:gc:file=" + log + ":uptime:filecount=0";
  }

  /** Pauses until now do not count. */
  void begin() throws IOException {
    linesBefore = Files.readAllLines(log).size();
  }

  /** Tells of the pauses since then. */
  String describe() throws IOException {
    List<String> lines = Files.readAllLines(log);
    double[] millis =
        lines.subList(linesBefore, lines.size()).stream()
            .map(PAUSE::matcher)
            .filter(Matcher::find)
            .mapToDouble(pause -> Double.parseDouble(pause.group(1)))
            .sorted()
            .toArray();
    return millis.length == 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "%d, mean %.1f ms, median %.1f ms, longest %.1f ms",
            millis.length,
            Arrays.stream(millis).average().orElseThrow(),
            millis[millis.length / 2],
            millis[millis.length - 1]);
  }
}
