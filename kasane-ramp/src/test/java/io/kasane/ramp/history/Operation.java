/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

/**
 * A line of a history, in the format of the checker Plume: {@code r(key,value,session,txn)} or
 * {@code w(key,value,session,txn)}.
 *
 * @param isWrite whether it writes; a delete is a write
 * @param key which key
 * @param value the number of the transaction that wrote it, {@link #NEVER_WRITTEN} where none did
 * @param session whose operation it is
 * @param transaction which transaction it is part of; {@link #ABORTED} where that failed
 */
public record Operation(boolean isWrite, long key, long value, long session, long transaction) {
  /** The value of a key that no transaction wrote. */
  public static final long NEVER_WRITTEN = 0;

  /** The transaction of writes that were never committed. */
  public static final long ABORTED = -1;

  /** Reads a line; one that is none is refused with what it was. */
  public static Operation parse(String line) {
    int length = line.length();
    boolean shaped =
        length > 2
            && (line.charAt(0) == 'r' || line.charAt(0) == 'w')
            && line.charAt(1) == '('
            && line.charAt(length - 1) == ')';
    int first = line.indexOf(',');
    int second = line.indexOf(',', first + 1);
    int third = line.indexOf(',', second + 1);
    if (!shaped || first < 0 || second < 0 || third < 0) {
      throw noOperation(line, null);
    }
    try {
      return new Operation(
          line.charAt(0) == 'w',
          Long.parseLong(line, 2, first, 10),
          Long.parseLong(line, first + 1, second, 10),
          Long.parseLong(line, second + 1, third, 10),
          Long.parseLong(line, third + 1, length - 1, 10));
    } catch (NumberFormatException e) {
      throw noOperation(line, e);
    }
  }

  private static IllegalArgumentException noOperation(String line, Throwable cause) {
    return new IllegalArgumentException(
        "\"" + line + "\" is no operation: r(key,value,session,txn) or w(key,value,session,txn)",
        cause);
  }

  /** The line, without its end. */
  @Override
  public String toString() {
    return (isWrite ? "w(" : "r(") + key + ',' + value + ',' + session + ',' + transaction + ')';
  }
}
