/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;

/** Cassandra's bounds of keys, told before it would tell them. */
final class KeyBytes {
  private static final int MAX_BYTES = 65_535;

  /** Cassandra counts all clustering columns together, kind and version among them. */
  private static final int MAX_OF_ITEM = MAX_BYTES - Integer.BYTES - Timestamp.BYTES;

  private KeyBytes() {}

  static Bytes ofKey(String table, Bytes bytes) {
    return checked("key", table, bytes, MAX_BYTES);
  }

  static Bytes ofItem(String table, Bytes bytes) {
    return checked("item", table, bytes, MAX_OF_ITEM);
  }

  private static Bytes checked(String what, String table, Bytes bytes, int most) {
    if (bytes.length() < 1 || bytes.length() > most) {
      throw new InvalidTransactionException(
          "The "
              + what
              + " in table "
              + table
              + " has "
              + bytes.length()
              + " bytes; 1 to "
              + most
              + " are possible. Let its codec give others, such as a hash of what is long.");
    }
    return bytes;
  }
}
