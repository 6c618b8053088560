/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The keys that are written and read, by their numbers in the history: first those of a table, then
 * the items of collections.
 */
final class LoadKeys {
  /** The table of single keys. */
  static final String TABLE = "accounts";

  /** The table of collections. */
  static final String COLLECTIONS = "lines";

  private static final int SINGLE = 240;
  private static final int COLLECTION_COUNT = 6;
  private static final int ITEMS = 10;
  private static final int HOT = 16;

  private LoadKeys() {}

  /** How many keys there are, items included. */
  static int count() {
    return SINGLE + COLLECTION_COUNT * ITEMS;
  }

  /** Whether the key is an item of a collection. */
  static boolean isItem(long number) {
    return number >= SINGLE;
  }

  /** The key of a number. */
  static ItemKey key(long number) {
    if (!isItem(number)) {
      return new ItemKey(TABLE, bytes(number));
    }
    long item = number - SINGLE;
    return new ItemKey(COLLECTIONS, bytes(item / ITEMS), bytes(item % ITEMS));
  }

  /** The number of a key. */
  static long number(ItemKey key) {
    long partition = number(key.partition());
    return key.table().equals(TABLE) ? partition : SINGLE + partition * ITEMS + number(key.item());
  }

  /** The collection of a number, from 0. */
  static CollectionKey collection(int number) {
    return new CollectionKey(COLLECTIONS, bytes(number));
  }

  /** The numbers of all items of a range, whether they are there or not. */
  static List<Long> items(ItemRange range) {
    return items((int) number(range.partition())).stream()
        .filter(item -> range.contains(key(item)))
        .toList();
  }

  private static List<Long> items(int collection) {
    long first = SINGLE + (long) collection * ITEMS;
    return LongStream.range(first, first + ITEMS).boxed().toList();
  }

  /** All collections. */
  static List<Integer> collections() {
    return IntStream.range(0, COLLECTION_COUNT).boxed().toList();
  }

  /** One to eight keys of the table; half of the times all of a few that many want. */
  static Set<Long> draw(RandomGenerator random) {
    int count = 1 + random.nextInt(8);
    int bound = random.nextBoolean() ? HOT : SINGLE;
    Set<Long> keys = new LinkedHashSet<>();
    for (int each = 0; each < count; each++) {
      keys.add((long) random.nextInt(bound));
    }
    return keys;
  }

  /** One to three items of one collection. */
  static Set<Long> drawItems(RandomGenerator random) {
    List<Long> items = items(drawCollection(random));
    Set<Long> keys = new LinkedHashSet<>();
    for (int each = 1 + random.nextInt(3); each > 0; each--) {
      keys.add(items.get(random.nextInt(items.size())));
    }
    return keys;
  }

  /** Any collection, all of it as often as a page. */
  static ItemRange drawRange(RandomGenerator random) {
    ItemRange all = collection(drawCollection(random)).all();
    return random.nextBoolean()
        ? all
        : new ItemRange(
            all.table(),
            all.partition(),
            bytes(random.nextInt(ITEMS)),
            Optional.of(bytes(random.nextInt(2 * ITEMS))),
            1 + random.nextInt(ITEMS));
  }

  private static int drawCollection(RandomGenerator random) {
    return random.nextInt(COLLECTION_COUNT);
  }

  /** The number as the bytes of keys and values. */
  static Bytes bytes(long number) {
    return Bytes.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
  }

  /** The number of such bytes. */
  static long number(Bytes bytes) {
    return bytes.toBuffer().getLong();
  }
}
