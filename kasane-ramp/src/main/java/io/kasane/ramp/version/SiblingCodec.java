/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Siblings as bytes. Names: the number of tables, and for each its name, its number of keys, and of
 * each key partition and item, in order; the length of an item is doubled, and one more where the
 * key was deleted. A filter: hashes, then bits. Nothing known: no bytes. Numbers and lengths are
 * {@link VarInt}s.
 */
final class SiblingCodec {
  private SiblingCodec() {}

  static int size(Siblings siblings) {
    if (siblings instanceof SiblingNames names) {
      return size(byTable(names.names()));
    }
    if (siblings instanceof SiblingFilter filter) {
      return VarInt.size(filter.hashes()) + size(filter.bits());
    }
    return 0;
  }

  static void encode(Siblings siblings, ByteBuffer out) {
    if (siblings instanceof SiblingNames names) {
      encode(byTable(names.names()), names.deleted(), out);
    } else if (siblings instanceof SiblingFilter filter) {
      VarInt.put(filter.hashes(), out);
      put(filter.bits(), out);
    }
  }

  static Siblings decode(Mode mode, ByteBuffer in) {
    return switch (mode) {
      case FAST -> names(in);
      case SMALL -> new UnknownSiblings();
      case HYBRID -> filter(in);
    };
  }

  private static int size(Map<String, List<ItemKey>> tables) {
    int size = VarInt.size(tables.size());
    for (Map.Entry<String, List<ItemKey>> table : tables.entrySet()) {
      size += size(Bytes.utf8(table.getKey())) + VarInt.size(table.getValue().size());
      for (ItemKey key : table.getValue()) {
        size += size(key.partition());
        size += VarInt.size(2 * key.item().length()) + key.item().length();
      }
    }
    return size;
  }

  private static void encode(
      Map<String, List<ItemKey>> tables, Set<ItemKey> deleted, ByteBuffer out) {
    VarInt.put(tables.size(), out);
    for (Map.Entry<String, List<ItemKey>> table : tables.entrySet()) {
      put(Bytes.utf8(table.getKey()), out);
      VarInt.put(table.getValue().size(), out);
      for (ItemKey key : table.getValue()) {
        put(key.partition(), out);
        VarInt.put(2 * key.item().length() + (deleted.contains(key) ? 1 : 0), out);
        out.put(key.item().toBuffer());
      }
    }
  }

  private static SiblingNames names(ByteBuffer in) {
    List<ItemKey> names = new ArrayList<>();
    List<ItemKey> deleted = new ArrayList<>();
    for (int tables = VarInt.get(in); tables > 0; tables--) {
      String table = text(get(in));
      for (int keys = VarInt.get(in); keys > 0; keys--) {
        Bytes partition = get(in);
        int item = VarInt.get(in);
        ItemKey key = new ItemKey(table, partition, get(item >>> 1, in));
        names.add(key);
        if ((item & 1) != 0) {
          deleted.add(key);
        }
      }
    }
    return new SiblingNames(setOf(names), setOf(deleted));
  }

  /** At once where each is there once, as in all that was encoded here. */
  private static Set<ItemKey> setOf(List<ItemKey> keys) {
    try {
      return Set.of(keys.toArray(new ItemKey[0]));
    } catch (IllegalArgumentException e) {
      return Set.copyOf(keys);
    }
  }

  private static SiblingFilter filter(ByteBuffer in) {
    int hashes = VarInt.get(in);
    Bytes bits = get(in);
    try {
      return new SiblingFilter(bits, hashes);
    } catch (IllegalArgumentException e) {
      throw new CorruptVersionException(e.getMessage());
    }
  }

  /** In order, since equal versions must give equal bytes. */
  private static Map<String, List<ItemKey>> byTable(Set<ItemKey> names) {
    Map<String, List<ItemKey>> tables = new TreeMap<>();
    names.stream()
        .sorted()
        .forEach(key -> tables.computeIfAbsent(key.table(), t -> new ArrayList<>()).add(key));
    return tables;
  }

  private static int size(Bytes bytes) {
    return VarInt.size(bytes.length()) + bytes.length();
  }

  private static void put(Bytes bytes, ByteBuffer out) {
    VarInt.put(bytes.length(), out);
    out.put(bytes.toBuffer());
  }

  private static Bytes get(ByteBuffer in) {
    return get(VarInt.get(in), in);
  }

  private static Bytes get(int length, ByteBuffer in) {
    if (length > in.remaining()) {
      throw new CorruptVersionException(
          "siblings say " + length + " bytes where " + in.remaining() + " are left");
    }
    return Bytes.read(in, length);
  }

  private static String text(Bytes bytes) {
    if (bytes.isAscii()) {
      return bytes.toUtf8();
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.toBuffer()).toString();
    } catch (CharacterCodingException e) {
      throw new CorruptVersionException("a table's name among siblings is no UTF-8: " + bytes);
    }
  }
}
