/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import java.util.Collection;
import java.util.Map;

/**
 * The words that refuse a setting. What was seen is shown cut and with its control characters
 * escaped: a line feed in a table option must not forge a line of the log.
 */
public final class Refusal {
  private static final int MAX_SHOWN = 64;

  private Refusal() {}

  /**
   * A sentence of the form {@code NAME is 'VALUE' but must be BOUND; WAY OUT}.
   *
   * @param seen what the setting is now
   * @param bound what it may be
   * @param wayOut what the reader can do
   */
  public static String of(String setting, Object seen, String bound, String wayOut) {
    return setting + " is " + quote(seen) + " but must be " + bound + "; " + wayOut;
  }

  /** A value in quotes, {@value #MAX_SHOWN} characters of it at most, without line breaks. */
  public static String quote(Object value) {
    if (value instanceof Map<?, ?>) {
      return "a map"; // its text may be as large as one likes
    }
    if (value instanceof Collection<?>) {
      return "a list";
    }
    if (value instanceof byte[]) {
      return "binary";
    }
    return "'" + shown(String.valueOf(value), MAX_SHOWN) + "'";
  }

  /** The first characters of {@code text}, control characters and the like escaped. */
  public static String shown(String text, int most) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), most); i++) {
      char c = text.charAt(i);
      if (isHarmless(c)) {
        shown.append(c);
      } else {
        shown.append(String.format("\\u%04x", (int) c));
      }
    }
    return text.length() > most ? shown.append("...").toString() : shown.toString();
  }

  private static boolean isHarmless(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }
}
