/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.heal;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import java.util.HexFormat;

/**
 * Keys as messages print them: {@code table/0x0a}, or {@code table/0x0a/0x0b} for an item; brackets
 * and commas of a list may cling to them.
 */
public final class KeyText {
  private KeyText() {}

  /**
   * Reads a key.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static ItemKey parse(String text) {
    String[] parts = text.replaceAll("^\\[|[],:]+$", "").split("/", -1);
    if (parts.length < 2 || parts.length > 3 || parts[0].isEmpty()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no key; write TABLE/0xPARTITION or TABLE/0xPARTITION/0xITEM");
    }
    Bytes item = parts.length == 3 ? bytes(text, parts[2]) : Bytes.EMPTY;
    return new ItemKey(parts[0], bytes(text, parts[1]), item);
  }

  private static Bytes bytes(String key, String text) {
    String why = "'" + text + "' in '" + key + "' is no blob; write 0x and pairs of hex digits";
    if (!text.startsWith("0x") || text.length() < 4) {
      throw new IllegalArgumentException(why);
    }
    try {
      return Bytes.copyOf(HexFormat.of().parseHex(text.substring(2)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(why, e);
    }
  }
}
