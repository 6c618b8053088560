/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import java.util.Set;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.ByteType;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DateType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.DurationType;
import org.apache.cassandra.db.marshal.FloatType;
import org.apache.cassandra.db.marshal.InetAddressType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.LegacyTimeUUIDType;
import org.apache.cassandra.db.marshal.LexicalUUIDType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.ShortType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TimeType;
import org.apache.cassandra.db.marshal.TimeUUIDType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.marshal.VectorType;

/** Which types' values can be in keys. Thread-safe. */
public final class KeyTypes {
  /** Classes, and none that extend them: those may compare in their own way. */
  private static final Set<Class<?>> SIMPLE =
      Set.of(
          AsciiType.class,
          BooleanType.class,
          ByteType.class,
          BytesType.class,
          DateType.class,
          DecimalType.class,
          DoubleType.class,
          DurationType.class,
          FloatType.class,
          InetAddressType.class,
          Int32Type.class,
          IntegerType.class,
          LegacyTimeUUIDType.class,
          LexicalUUIDType.class,
          LongType.class,
          ShortType.class,
          SimpleDateType.class,
          TimeType.class,
          TimeUUIDType.class,
          TimestampType.class,
          UTF8Type.class,
          UUIDType.class);

  private static final Set<Class<?>> NESTING =
      Set.of(
          ListType.class,
          MapType.class,
          SetType.class,
          TupleType.class,
          UserType.class,
          VectorType.class);

  private KeyTypes() {}

  /**
   * Whether keys of values of a type are in the order in which the type has them, and equal where
   * they are equal for it. Of other types, two rows might become one, or one row two.
   */
  public static boolean isExact(AbstractType<?> type) {
    return isExactInside(type.unwrap());
  }

  private static boolean isExactInside(AbstractType<?> type) {
    return SIMPLE.contains(type.getClass())
        || (NESTING.contains(type.getClass())
            && type.subTypes().stream().allMatch(KeyTypes::isExactInside));
  }
}
