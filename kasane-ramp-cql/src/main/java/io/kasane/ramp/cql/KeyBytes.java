/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.version.Bytes;

/** Cassandra's bounds of keys, told before it would tell them. */
final class KeyBytes {
  private static final int MOST = 65_535;

  private KeyBytes() {}

  static Bytes of(String what, String table, Bytes bytes) {
    if (bytes.length() < 1 || bytes.length() > MOST) {
      throw new InvalidTransactionException(
          "The "
              + what
              + " in table "
              + table
              + " has "
              + bytes.length()
              + " bytes; 1 to "
              + MOST
              + " are possible. Let its codec give others, such as a hash of what is long.");
    }
    return bytes;
  }
}
