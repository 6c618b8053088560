/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a table, or an index of one, is called in engines: indexes share their base's id. A table
 * that is made again with the id of one that was dropped is another incarnation, with names of its
 * own: whatever is still to be removed, or still comes from a flush of before, cannot be taken for
 * it.
 *
 * <pre>
 * ID[+INCARNATION][.INDEX]      32 hexadecimal digits, a number above 0, a name
 * </pre>
 *
 * @param index the index's name; empty for the table itself
 */
record TableName(UUID table, long incarnation, String index) {
  private static final Pattern NAME =
      Pattern.compile(
          "([0-9a-f]{16})([0-9a-f]{16})(?:\\+(\\d{1,18}))?(?:\\.(.+))?", Pattern.DOTALL);

  /** The radix of an id's halves. */
  private static final int HEX = 16;

  /** Reads a name; empty if it is none of a table. */
  static Optional<TableName> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    UUID table =
        new UUID(
            Long.parseUnsignedLong(matcher.group(1), HEX),
            Long.parseUnsignedLong(matcher.group(2), HEX));
    long incarnation = matcher.group(3) == null ? 0 : Long.parseLong(matcher.group(3));
    return Optional.of(
        new TableName(table, incarnation, matcher.group(4) == null ? "" : matcher.group(4)));
  }

  @Override
  public String toString() {
    return String.format(
            "%016x%016x", table.getMostSignificantBits(), table.getLeastSignificantBits())
        + (incarnation == 0 ? "" : "+" + incarnation)
        + (index.isEmpty() ? "" : "." + index);
  }
}
