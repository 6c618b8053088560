/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.SeekOp;
import org.lmdbjava.Txn;

/** Which table has which number, on disk: its name in UTF-8, and four bytes. */
final class Catalog {
  private final Dbi<DirectBuffer> database;

  Catalog(Env<DirectBuffer> env) {
    database = env.openDbi("catalog", DbiFlags.MDB_CREATE);
  }

  /** Returns the number of each table. */
  Map<String, Integer> read(Txn<DirectBuffer> txn) {
    Map<String, Integer> numbers = new TreeMap<>();
    try (Cursor<DirectBuffer> cursor = database.openCursor(txn)) {
      for (boolean found = cursor.seek(SeekOp.MDB_FIRST);
          found;
          found = cursor.seek(SeekOp.MDB_NEXT)) {
        numbers.put(new String(KeyBuffer.copy(cursor.key()), UTF_8), cursor.val().getInt(0));
      }
    }
    return numbers;
  }

  void add(Txn<DirectBuffer> txn, String table, int number) {
    MutableDirectBuffer value =
        (MutableDirectBuffer) database.reserve(txn, key(table), Integer.BYTES);
    value.putInt(0, number);
  }

  void remove(Txn<DirectBuffer> txn, String table) {
    database.delete(txn, key(table));
  }

  private static DirectBuffer key(String table) {
    return KeyBuffer.of(table.getBytes(UTF_8));
  }
}
