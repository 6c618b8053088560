/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemRange;
import java.util.Objects;
import java.util.Optional;

/**
 * Items of a collection that lie next to each other, in the order of their bytes. That order is the
 * codec's: of {@link Codecs#text} it is that of Unicode, and of numbers take one whose bytes are in
 * order, such as {@link Codecs#ordered64}. Immutable.
 *
 * @param <I> items
 */
public final class RampRange<I> {
  private final Optional<I> first;
  private final boolean withFirst;
  private final Optional<I> last;
  private final boolean withLast;
  private final int limit;

  /**
   * What {@link #first} was made of, where it is of a page: a codec may give other bytes by now.
   */
  private final Optional<Bytes> firstBytes;

  private RampRange(
      Optional<I> first,
      boolean withFirst,
      Optional<Bytes> firstBytes,
      Optional<I> last,
      boolean withLast,
      int limit) {
    this.first = first;
    this.withFirst = withFirst;
    this.firstBytes = firstBytes;
    this.last = last;
    this.withLast = withLast;
    this.limit = limit;
  }

  /** All items. */
  public static <I> RampRange<I> all() {
    return new RampRange<>(
        Optional.empty(), true, Optional.empty(), Optional.empty(), true, ItemRange.UNLIMITED);
  }

  /** Begins at this item, or at the next one where it is not there. */
  public RampRange<I> from(I item) {
    return new RampRange<>(Optional.of(item), true, Optional.empty(), last, withLast, limit);
  }

  /** Begins behind this item. */
  public RampRange<I> after(I item) {
    return new RampRange<>(Optional.of(item), false, Optional.empty(), last, withLast, limit);
  }

  /** Ends with this item. */
  public RampRange<I> upTo(I item) {
    return new RampRange<>(first, withFirst, firstBytes, Optional.of(item), true, limit);
  }

  /** Ends before this item. */
  public RampRange<I> before(I item) {
    return new RampRange<>(first, withFirst, firstBytes, Optional.of(item), false, limit);
  }

  /**
   * Has so many items at most, those that are deleted not among them.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public RampRange<I> limit(int items) {
    if (items < 1) {
      throw new IllegalArgumentException("limit: " + items + "; 1 or more items are possible");
    }
    return new RampRange<>(first, withFirst, firstBytes, last, withLast, items);
  }

  /** What is left of it from these bytes on, which are those of the item. */
  RampRange<I> from(I item, Bytes bytes) {
    return new RampRange<>(Optional.of(item), true, Optional.of(bytes), last, withLast, limit);
  }

  /** The item that it begins with, or behind; empty where it begins with the first of all. */
  public Optional<I> first() {
    return first;
  }

  <K> ItemRange of(RampCollection<K, I, ?> collection, K key) {
    return new ItemRange(
        collection.name(),
        collection.keyOf(key).partition(),
        firstBytes
            .or(() -> first.map(item -> edge(collection.bytesOfItem(item), !withFirst)))
            .orElse(Bytes.EMPTY),
        last.map(item -> edge(collection.bytesOfItem(item), withLast)),
        limit);
  }

  /** Nothing lies between some bytes and the same with a zero behind. */
  private static Bytes edge(Bytes item, boolean behind) {
    if (!behind) {
      return item;
    }
    byte[] next = new byte[item.length() + 1];
    item.toBuffer().get(next, 0, item.length());
    return Bytes.copyOf(next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RampRange<?> range
        && first.equals(range.first)
        && withFirst == range.withFirst
        && firstBytes.equals(range.firstBytes)
        && last.equals(range.last)
        && withLast == range.withLast
        && limit == range.limit;
  }

  @Override
  public int hashCode() {
    return Objects.hash(first, withFirst, firstBytes, last, withLast, limit);
  }

  @Override
  public String toString() {
    return (withFirst ? "[" : "(")
        + first.map(Object::toString).orElse("")
        + ", "
        + last.map(Object::toString).orElse("")
        + (withLast ? "]" : ")")
        + (limit == ItemRange.UNLIMITED ? "" : " limit " + limit);
  }
}
