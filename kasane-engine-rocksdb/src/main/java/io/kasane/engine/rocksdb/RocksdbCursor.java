/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.KeyRange;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** Walks over a range. RocksDB itself stops at its ends, and reads no deletions behind them. */
final class RocksdbCursor implements EngineCursor {
  private final RocksdbEngine engine;
  private final boolean reversed;
  private final Slice from;
  private final Slice to;
  private final ReadOptions options;
  private final RocksIterator iterator;
  private boolean begun;
  private boolean ended;
  private boolean closed;

  RocksdbCursor(
      RocksdbEngine engine,
      ColumnFamilyHandle family,
      Snapshot snapshot,
      KeyRange range,
      boolean reversed) {
    this.engine = engine;
    this.reversed = reversed;
    this.ended = range.isEmpty();
    this.from = new Slice(range.from());
    this.to = range.to() == null || ended ? null : new Slice(range.to());
    this.options = new ReadOptions().setSnapshot(snapshot).setIterateLowerBound(from);
    if (to != null) {
      options.setIterateUpperBound(to);
    }
    this.iterator = engine.db().newIterator(family, options);
  }

  @Override
  public boolean next() {
    if (ended || closed) {
      return false;
    }
    if (!begun) {
      begun = true;
      if (reversed) {
        iterator.seekToLast();
      } else {
        iterator.seekToFirst();
      }
    } else if (reversed) {
      iterator.prev();
    } else {
      iterator.next();
    }
    ended = !iterator.isValid();
    if (ended) {
      RocksdbErrors.calling(
          engine.name(),
          () -> {
            iterator.status(); // there may be more that could not be read
            return null;
          });
    }
    return !ended;
  }

  @Override
  public byte[] key() {
    requireEntry();
    return iterator.key();
  }

  @Override
  public byte[] value() {
    requireEntry();
    return iterator.value();
  }

  private void requireEntry() {
    if (!begun || ended || closed) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      iterator.close();
      options.close();
      from.close();
      if (to != null) {
        to.close();
      }
    }
  }
}
