/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.KeyRange;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.SeekOp;

/** Walks over a range; reads a value only when it is asked for. */
final class LmdbCursor implements EngineCursor {
  private final String engine;
  private final Cursor<DirectBuffer> cursor;
  private final KeyRange range;
  private final boolean reversed;
  private boolean begun;
  private boolean ended;
  private boolean closed;
  private byte[] key;

  LmdbCursor(String engine, Cursor<DirectBuffer> cursor, KeyRange range, boolean reversed) {
    this.engine = engine;
    this.cursor = cursor;
    this.range = range;
    this.reversed = reversed;
    this.ended = range.isEmpty();
  }

  @Override
  public boolean next() {
    if (!ended) {
      ended = !LmdbErrors.calling(engine, this::step);
    }
    if (ended) {
      key = null;
    }
    return !ended;
  }

  private boolean step() {
    if (!(begun ? go() : begin())) {
      return false;
    }
    key = KeyBuffer.copy(cursor.key());
    return reversed ? Arrays.compareUnsigned(key, range.from()) >= 0 : range.isBeforeEnd(key);
  }

  private boolean go() {
    return cursor.seek(reversed ? SeekOp.MDB_PREV : SeekOp.MDB_NEXT);
  }

  private boolean begin() {
    begun = true;
    if (!reversed) {
      return seek(range.from());
    }
    boolean endExists = range.to() != null && seek(range.to());
    return cursor.seek(endExists ? SeekOp.MDB_PREV : SeekOp.MDB_LAST);
  }

  /** To the first key that is not before {@code from}, which may be longer than any key. */
  private boolean seek(byte[] from) {
    if (from.length == 0) {
      return cursor.seek(SeekOp.MDB_FIRST);
    }
    if (from.length <= KeyBuffer.MAX_BYTES) {
      return cursor.get(KeyBuffer.of(from), GetOp.MDB_SET_RANGE);
    }
    byte[] cut = Arrays.copyOf(from, KeyBuffer.MAX_BYTES);
    boolean found = cursor.get(KeyBuffer.of(cut), GetOp.MDB_SET_RANGE);
    // A key that is no more than the beginning of what is sought is before it.
    boolean isBefore = found && Arrays.equals(KeyBuffer.copy(cursor.key()), cut);
    return isBefore ? cursor.seek(SeekOp.MDB_NEXT) : found;
  }

  @Override
  public byte[] key() {
    requireEntry();
    return key;
  }

  @Override
  public byte[] value() {
    requireEntry();
    return KeyBuffer.copy(cursor.val());
  }

  private void requireEntry() {
    if (key == null || closed) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ended = true;
      cursor.close();
    }
  }
}
