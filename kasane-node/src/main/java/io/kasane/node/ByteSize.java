/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written with binary units as in {@code cassandra.yaml}, {@code 20MiB}, or as
 * the JVM has them, {@code 20m}.
 *
 * @param bytes the number of bytes, not negative
 */
public record ByteSize(long bytes) {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final Pattern SYNTAX =
      Pattern.compile("(\\d{1,15})\\s*(B|([KMGT])(?:iB)?)?", Pattern.CASE_INSENSITIVE);

  /** Checks that the size is not negative. */
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size cannot be negative: " + bytes);
    }
  }

  /** Reads {@code 20MiB}, {@code 512 KiB}, {@code 2g} or a bare number of bytes. */
  public static ByteSize parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a size: write a whole number and B, KiB, MiB, GiB or TiB (20MiB), or k, m, g or t (20m)");
    }
    long number = Long.parseLong(matcher.group(1));
    try {
      return new ByteSize(Math.multiplyExact(number, factor(matcher.group(3))));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is more bytes than a long can hold", e);
    }
  }

  private static long factor(String unit) {
    long factor = 1;
    for (String candidate : UNITS) {
      if (unit == null || candidate.regionMatches(true, 0, unit, 0, 1)) {
        return factor;
      }
      factor *= 1024;
    }
    throw new AssertionError("the pattern admits no unit " + unit);
  }

  /**
   * Returns the form that the JVM's flags read, such as {@code 512m}.
   *
   * @throws IllegalArgumentException if it is no whole number of KiB
   */
  public String jvm() {
    if (bytes == 0 || bytes % 1024 != 0) {
      throw new IllegalArgumentException(
          "'" + this + "' is no heap: it must be a number of KiB, such as 512MiB or 512m");
    }
    String exact = toString();
    return exact.substring(0, exact.length() - 2).toLowerCase(Locale.ROOT);
  }

  /** Returns a short form for people, rounded to one decimal: {@code 1.5 MiB}. */
  public String human() {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  /** Returns the exact form configuration files read: the largest unit that divides evenly. */
  @Override
  public String toString() {
    long value = bytes;
    int unit = 0;
    while (value != 0 && value % 1024 == 0 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return value + UNITS[unit];
  }
}
