/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.cassandra.cql3.CQL3Type;
import org.apache.cassandra.cql3.Duration;
import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.CollectionType;
import org.apache.cassandra.db.marshal.CounterColumnType;
import org.apache.cassandra.db.marshal.DateType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.DurationType;
import org.apache.cassandra.db.marshal.EmptyType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LegacyTimeUUIDType;
import org.apache.cassandra.db.marshal.LexicalUUIDType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.serializers.CollectionSerializer;
import org.apache.cassandra.utils.ByteBufferUtil;

/** All types of keys, and values of them that a node would take. */
final class TypedValues {
  private static final List<AbstractType<?>> SIMPLE =
      Stream.concat(
              Stream.of(CQL3Type.Native.values()).map(CQL3Type::getType),
              Stream.of(DateType.instance, LegacyTimeUUIDType.instance, LexicalUUIDType.instance))
          .filter(type -> type != CounterColumnType.instance && type != EmptyType.instance)
          .<AbstractType<?>>map(type -> type)
          .distinct()
          .toList();

  private static final List<Integer> FLOATS = // zeros, ones, least, infinite, not a number
      List.of(
          0,
          0x80000000,
          0x3F800000,
          0xBF800000,
          1,
          0x80000001,
          0x7F800000,
          0xFF800000,
          0x7FC00000,
          0x7FC00001,
          0x7F800001,
          0x7FFFFFFF,
          0xFFC00000,
          0xFF800001,
          0xFFFFFFFF);

  private TypedValues() {}

  /** A type that nests others so deep at most. */
  static AbstractType<?> type(Draws draws, int depth) {
    int kind = depth == 0 ? 0 : draws.below(9);
    return switch (kind) {
      case 3 -> ListType.getInstance(type(draws, depth - 1), false);
      case 4 -> SetType.getInstance(type(draws, depth - 1), false);
      case 5 -> MapType.getInstance(type(draws, depth - 1), type(draws, depth - 1), false);
      case 6 -> VectorType.getInstance(type(draws, depth - 1), 1 + draws.below(3));
      case 7 -> new TupleType(types(draws, depth - 1));
      case 8 -> user(types(draws, depth - 1));
      default -> draws.from(SIMPLE);
    };
  }

  private static List<AbstractType<?>> types(Draws draws, int depth) {
    List<AbstractType<?>> types = new ArrayList<>();
    for (int i = draws.below(3); i >= 0; i--) {
      types.add(type(draws, depth));
    }
    return types;
  }

  static UserType user(List<AbstractType<?>> types) {
    return new UserType(
        "ks",
        ByteBufferUtil.bytes("u"),
        IntStream.range(0, types.size())
            .mapToObj(i -> FieldIdentifier.forInternalString("f" + i))
            .toList(),
        types,
        false);
  }

  /** A value that the type takes. */
  static ByteBuffer value(AbstractType<?> type, Draws draws) {
    return type.allowsEmpty() && draws.oneIn(6)
        ? ByteBufferUtil.EMPTY_BYTE_BUFFER
        : present(type, draws);
  }

  private static ByteBuffer present(AbstractType<?> type, Draws draws) {
    if (type instanceof TupleType tuple) {
      ByteBuffer[] components = new ByteBuffer[draws.below(tuple.size() + 1)];
      for (int i = 0; i < components.length; i++) {
        components[i] = draws.oneIn(4) ? null : value(tuple.type(i), draws);
      }
      return TupleType.buildValue(components);
    } else if (type instanceof CollectionType<?> collection) {
      int size = draws.below(4);
      List<ByteBuffer> elements = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        collection.subTypes().forEach(each -> elements.add(value(each, draws)));
      }
      return CollectionSerializer.pack(elements, ByteBufferAccessor.instance, size);
    } else if (type instanceof VectorType<?> vector) {
      return elements(vector.elementType, vector.dimension, draws);
    }
    return simple(type, draws);
  }

  /** As a client may send them: Cassandra's own refuses empty ones, which it takes. */
  private static ByteBuffer elements(AbstractType<?> type, int count, Draws draws) {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      for (int i = 0; i < count; i++) {
        if (type.isValueLengthFixed()) {
          out.write(present(type, draws));
        } else {
          ByteBufferUtil.writeWithVIntLength(value(type, draws), out);
        }
      }
      return out.asNewBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // to memory
    }
  }

  private static ByteBuffer simple(AbstractType<?> type, Draws draws) {
    if (type == FloatType.instance) {
      return ByteBufferUtil.bytes(draws.from(FLOATS));
    } else if (type == DoubleType.instance) {
      return ByteBufferUtil.bytes(doubleBits(draws));
    } else if (type == DecimalType.instance) {
      return DecimalType.instance.decompose(decimal(draws));
    } else if (type == IntegerType.instance) {
      return integer(draws);
    } else if (type == DurationType.instance) {
      return DurationType.instance.decompose(
          Duration.newInstance(draws.below(200), draws.below(200), draws.below(200)));
    } else if (type == UTF8Type.instance || type == AsciiType.instance) {
      return ByteBufferUtil.bytes(text(draws, type == AsciiType.instance));
    } else if (type == BytesType.instance) {
      return ByteBuffer.wrap(draws.bytes(draws.below(4)));
    } else if (type == InetAddressType.instance) {
      return ByteBuffer.wrap(draws.bytes(draws.oneIn(2) ? 4 : 16));
    }
    return fixed(type, draws);
  }

  private static ByteBuffer fixed(AbstractType<?> type, Draws draws) {
    String name = type.asCQL3Type().toString();
    int length =
        switch (name) {
          case "tinyint", "boolean" -> 1;
          case "smallint" -> 2;
          case "int", "date" -> 4;
          case "uuid", "timeuuid" -> 16;
          default -> type.isValueLengthFixed() ? type.valueLengthIfFixed() : 8;
        };
    byte[] bytes = draws.bytes(length);
    boolean isTime = type instanceof TimeUUIDType || type instanceof LegacyTimeUUIDType;
    if (isTime || (type == UUIDType.instance && draws.oneIn(3))) {
      bytes[6] = (byte) (0x10 | (bytes[6] & 0x0F));
    }
    return ByteBuffer.wrap(bytes);
  }

  /** As the floats: sign, exponent and whether there is more are what matters. */
  private static long doubleBits(Draws draws) {
    int bits = draws.from(FLOATS);
    if ((bits & 0x7F800000) == 0x7F800000) {
      return ((bits & 0x80000000L) << 32)
          | 0x7FF0000000000000L
          | (bits & 0x7FFFFFL) << draws.below(3);
    }
    return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
  }

  /** Often equal to others with other digits. */
  private static BigDecimal decimal(Draws draws) {
    int zeros = draws.below(4);
    BigInteger digits =
        BigInteger.valueOf(draws.from(List.of(0, 1, -1, 5, 10, -10, 99, 100, 12345)));
    if (draws.oneIn(4)) {
      digits = new BigInteger(draws.bytes(1 + draws.below(12)));
    }
    int scale =
        draws.from(List.of(0, 0, 1, 2, -1, -2, 300, -300, 70_000, -70_000, 1 << 30, -(1 << 30)));
    return new BigDecimal(digits.multiply(BigInteger.TEN.pow(zeros)), scale + zeros);
  }

  /** May begin with bytes that say the sign again. */
  private static ByteBuffer integer(Draws draws) {
    byte[] value = draws.bytes(1 + draws.below(11));
    byte[] padded = new byte[value.length + draws.below(3)];
    int padding = padded.length - value.length;
    for (int i = 0; i < padding; i++) {
      padded[i] = (byte) (value[0] >> 7);
    }
    System.arraycopy(value, 0, padded, padding, value.length);
    return ByteBuffer.wrap(padded);
  }

  private static String text(Draws draws, boolean isAscii) {
    StringBuilder text = new StringBuilder();
    for (int i = draws.below(4); i > 0; i--) {
      text.append(draws.from(List.of("\0", "a", "\1", "\177", isAscii ? "b" : "\u00FF", "z")));
    }
    return text.toString();
  }
}
