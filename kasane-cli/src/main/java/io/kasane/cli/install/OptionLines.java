/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.NodeException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The storage hook in the text of a {@code jvm-server.options}, of which all else stays. */
final class OptionLines {
  private static final String PROPERTY = "-Dcassandra.storage_hook=";
  private static final String HOOK = PROPERTY + "io.kasane.host.KasaneStorageHook";
  private static final String ADDED = "\n# Kasane\n" + HOOK + "\n";

  private OptionLines() {}

  /** Returns the text with the hook. */
  static String with(String text, String source) {
    Optional<String> present = hook(text);
    if (present.isEmpty()) {
      return (text.endsWith("\n") || text.isEmpty() ? text : text + "\n") + ADDED;
    }
    if (!present.get().equals(HOOK)) {
      throw new NodeException(
          source
              + " has "
              + present.get()
              + ", and Cassandra takes one storage hook: remove that line, or do without Kasane");
    }
    return text;
  }

  /** Returns the text without the hook. */
  static String without(String text) {
    if (text.contains(ADDED)) {
      return text.replace(ADDED, "");
    }
    List<String> lines = text.lines().toList();
    if (!lines.contains(HOOK)) {
      return text;
    }
    return text.replaceFirst("(?m)^" + Pattern.quote(HOOK) + "\\n?", "");
  }

  private static Optional<String> hook(String text) {
    return text.lines().map(String::strip).filter(line -> line.startsWith(PROPERTY)).findFirst();
  }
}
