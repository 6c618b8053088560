/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Keys and values as words. */
public final class Entries {
  private Entries() {}

  public static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  public static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /** A key of that many bytes, the last of which are {@code end}. */
  public static byte[] key(int length, String end) {
    byte[] key = new byte[length];
    byte[] last = bytes(end);
    int from = Math.max(0, length - last.length);
    System.arraycopy(last, 0, key, from, length - from);
    return key;
  }

  public static void put(EngineTable table, String... keysAndValues) {
    EngineBatch batch = new EngineBatch();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      batch.put(bytes(keysAndValues[i]), bytes(keysAndValues[i + 1]));
    }
    table.apply(batch);
  }

  public static String get(EngineTable table, String key) {
    try (EngineSnapshot snapshot = table.snapshot()) {
      return text(snapshot.get(bytes(key)));
    }
  }

  /** All of a table: {@code key=value} in order. */
  public static List<String> all(EngineTable table) {
    try (EngineSnapshot snapshot = table.snapshot()) {
      return scan(snapshot, KeyRange.all(), false);
    }
  }

  public static List<String> scan(EngineSnapshot snapshot, KeyRange range, boolean reversed) {
    List<String> found = new ArrayList<>();
    try (EngineCursor cursor = snapshot.scan(range, reversed)) {
      while (cursor.next()) {
        found.add(text(cursor.key()) + "=" + text(cursor.value()));
      }
    }
    return found;
  }

  /** The same for keys and values that are no words. */
  public static List<String> scanHex(EngineSnapshot snapshot, KeyRange range, boolean reversed) {
    List<String> found = new ArrayList<>();
    HexFormat hex = HexFormat.of();
    try (EngineCursor cursor = snapshot.scan(range, reversed)) {
      while (cursor.next()) {
        found.add(hex.formatHex(cursor.key()) + "=" + hex.formatHex(cursor.value()));
      }
    }
    return found;
  }
}
