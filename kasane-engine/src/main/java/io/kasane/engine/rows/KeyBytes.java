/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.ReversedType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.ValueAccessor;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.serializers.CollectionSerializer;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;

/**
 * Builds keys from values. A byte before each value says whether it is null, empty or neither. The
 * bytes of two values are in the order that {@code compare} of their type has, and equal where it
 * says so, if {@link KeyTypes#isExact} says so of the type. For one thread.
 *
 * <p>Values of most types are Cassandra's byte-comparable form. That has the same bytes for null
 * and for empty components of a tuple, which {@code compare} tells apart; has one form for each bit
 * pattern of NaN, which {@code compare} does not; and fails for some integers that begin with bytes
 * of no need. So such values are made alike here, and those that nest others are put together.
 */
final class KeyBytes {
  static final ByteComparable.Version ORDER = ByteComparable.Version.OSS50;

  private static final ValueAccessor<ByteBuffer> VALUES = ByteBufferAccessor.instance;
  private static final ByteBuffer FLOAT_NAN = FloatType.instance.decompose(Float.NaN);
  private static final ByteBuffer DOUBLE_NAN = DoubleType.instance.decompose(Double.NaN);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream(64);

  KeyBytes with(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  KeyBytes with(int aByte) {
    out.write(aByte);
    return this;
  }

  /** Adds a value, which may be null. */
  KeyBytes add(AbstractType<?> type, ByteBuffer value) {
    if (value == null) {
      return with(ByteSource.NEXT_COMPONENT_NULL);
    }
    byte[] bytes = bytes(type, value);
    if (bytes == null) {
      return with(
          type.isReversed()
              ? ByteSource.NEXT_COMPONENT_EMPTY_REVERSED
              : ByteSource.NEXT_COMPONENT_EMPTY);
    }
    return with(ByteSource.NEXT_COMPONENT).with(bytes);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  /** Null of a value that is empty, unless the type orders empty values among others. */
  private static byte[] bytes(AbstractType<?> type, ByteBuffer value) {
    if (type instanceof ReversedType<?> reversed) {
      return inverted(bytes(reversed.baseType, value));
    } else if (type instanceof FloatType floats) {
      return simple(floats, isNaN(floats, value) ? FLOAT_NAN : value);
    } else if (type instanceof DoubleType doubles) {
      return simple(doubles, isNaN(doubles, value) ? DOUBLE_NAN : value);
    } else if (!value.hasRemaining()) {
      return simple(type, value);
    } else if (type instanceof IntegerType integers) {
      return simple(integers, integers.decompose(integers.compose(value)));
    } else if (type instanceof TupleType tuple) {
      return tuple(tuple, tuple.split(VALUES, value));
    } else if (type instanceof CollectionType<?> collection) {
      return collection(collection.subTypes(), value);
    } else if (type instanceof VectorType<?> vector) {
      return vector(vector.elementType, vector.split(value, VALUES));
    }
    return simple(type, value);
  }

  private static byte[] simple(AbstractType<?> type, ByteBuffer value) {
    ByteSource source = type.asComparableBytes(value, ORDER);
    return source == null ? null : ByteSourceInverse.readBytes(source);
  }

  private static <N extends Number> boolean isNaN(AbstractType<N> type, ByteBuffer value) {
    return value.hasRemaining() && Double.isNaN(type.compose(value).doubleValue());
  }

  private static byte[] inverted(byte[] bytes) {
    for (int i = 0; bytes != null && i < bytes.length; i++) {
      bytes[i] ^= (byte) 0xFF;
    }
    return bytes;
  }

  /** Without nulls at the end: a value from before a field was added has none there. */
  private static byte[] tuple(TupleType type, ByteBuffer[] components) {
    int size = components.length;
    while (size > 0 && components[size - 1] == null) {
      size--;
    }
    KeyBytes all = new KeyBytes();
    for (int i = 0; i < size; i++) {
      all.add(type.type(i), components[i]);
    }
    return all.with(ByteSource.TERMINATOR).toBytes();
  }

  private static byte[] collection(List<AbstractType<?>> types, ByteBuffer value) {
    int count = CollectionSerializer.readCollectionSize(value, VALUES) * types.size();
    int at = CollectionSerializer.sizeOfCollectionSize();
    KeyBytes all = new KeyBytes();
    for (int i = 0; i < count; i++) {
      ByteBuffer element = CollectionSerializer.readValue(value, VALUES, at);
      at += CollectionSerializer.sizeOfValue(element, VALUES);
      all.add(types.get(i % types.size()), element);
    }
    return all.with(ByteSource.TERMINATOR).toBytes();
  }

  private static byte[] vector(AbstractType<?> type, List<ByteBuffer> elements) {
    KeyBytes all = new KeyBytes();
    elements.forEach(element -> all.add(type, element));
    return all.with(ByteSource.TERMINATOR).toBytes();
  }
}
