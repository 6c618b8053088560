/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.exceptions.UnknownColumnException;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The columns and types that a table's entries were written with, by number: an entry has the
 * number, and not the names. What was written before an ALTER is read as SSTables of before it are:
 * what was dropped since is left out. Thread-safe.
 *
 * <pre>
 * key     00 01, number in four bytes
 * value   as an SSTable's serialization header
 * </pre>
 */
final class EntrySchemas {
  private static final byte[] FIRST_KEY = {0, 1};
  private static final byte[] BEHIND_KEYS = {0, 2};

  private final EngineTable table;
  private final ConcurrentSkipListMap<Integer, SerializationHeader.Component> epochs =
      new ConcurrentSkipListMap<>();

  /** The state of the schema that was last written under. */
  private volatile TableMetadata newest;

  /** What was made of them for one state of the schema. */
  private volatile Resolved resolved;

  private static final class Resolved {
    private final TableMetadata metadata;
    private final Map<Integer, SerializationHeader> headers = new ConcurrentHashMap<>();

    Resolved(TableMetadata metadata) {
      this.metadata = metadata;
    }
  }

  EntrySchemas(EngineTable table) {
    this.table = table;
    read(FIRST_KEY);
  }

  private void read(byte[] from) {
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.of(from, BEHIND_KEYS), false)) {
      while (cursor.next()) {
        int number = ByteBuffer.wrap(cursor.key()).getInt(FIRST_KEY.length);
        epochs.put(number, deserialize(cursor.value()));
      }
    }
  }

  private int next() {
    return epochs.isEmpty() ? 0 : epochs.lastKey() + 1;
  }

  /**
   * The number to write entries with. One that there was none for is in the engine before this
   * returns, so that no entry ever lies there without it.
   *
   * @param columns of the rows: some may have been dropped from the schema since they were written
   */
  synchronized int current(TableMetadata metadata, RegularAndStaticColumns columns) {
    RegularAndStaticColumns all = metadata.regularAndStaticColumns();
    SerializationHeader.Component wanted =
        new SerializationHeader(
                true,
                metadata,
                all.includes(columns) ? all : all.mergeTo(columns),
                EncodingStats.NO_STATS)
            .toComponent();
    newest = metadata;
    OptionalInt known = find(wanted);
    if (known.isEmpty()) {
      read(key(next())); // to use a number twice would make rows unreadable
      known = find(wanted);
    }
    if (known.isPresent()) {
      return known.getAsInt();
    }
    int number = next();
    table.apply(new EngineBatch().put(key(number), serialize(wanted)));
    epochs.put(number, wanted);
    return number;
  }

  private OptionalInt find(SerializationHeader.Component wanted) {
    return epochs.descendingMap().entrySet().stream()
        .filter(epoch -> epoch.getValue().equals(wanted))
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(FIRST_KEY.length + Integer.BYTES)
        .put(FIRST_KEY)
        .putInt(number)
        .array();
  }

  /** How entries of that number are read and written under this state of the schema. */
  @SuppressWarnings("ReferenceEquality") // each state is one object, and equality costs as a read
  SerializationHeader header(int number, TableMetadata metadata) {
    Resolved now = resolved;
    if (now == null || now.metadata != metadata) {
      now = new Resolved(metadata);
      resolved = now;
    }
    return now.headers.computeIfAbsent(number, n -> resolve(n, metadata));
  }

  @SuppressWarnings("ReferenceEquality")
  private SerializationHeader resolve(int number, TableMetadata metadata) {
    SerializationHeader.Component epoch = epochs.get(number);
    if (epoch == null) {
      throw new EngineException(
          Kind.CORRUPT, metadata + ": an entry is of schema epoch " + number + ", which is gone");
    }
    try {
      return epoch.toHeader(metadata);
    } catch (UnknownColumnException e) {
      TableMetadata later = newest;
      if (later != null && later != metadata) {
        return resolve(number, later); // a read that began before the ALTER leaves the column out
      }
      throw new EngineException(Kind.FAILED, metadata + ": " + e.getMessage(), e);
    }
  }

  private static byte[] serialize(SerializationHeader.Component epoch) {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      SerializationHeader.serializer.serialize(null, epoch, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SerializationHeader.Component deserialize(byte[] value) {
    try (DataInputBuffer in = new DataInputBuffer(value)) {
      return SerializationHeader.serializer.deserialize(null, in);
    } catch (IOException e) {
      throw new EngineException(Kind.CORRUPT, "a schema epoch cannot be read: " + e, e);
    }
  }
}
