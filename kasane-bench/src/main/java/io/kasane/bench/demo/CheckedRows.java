/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Knows for every key which versions a read may return.
 *
 * <pre>
 * read begins     lowest  = last version acknowledged before
 * read ends       highest = last version sent until now
 * right           lowest &lt;= version &lt;= highest, and the payload is that version's
 * </pre>
 *
 * <p>At most one update of a key is in flight. One that failed may have arrived or not: it raises
 * the highest version but not the lowest, and the next update of the key gets a later version.
 */
public final class CheckedRows {
  private final AtomicIntegerArray acknowledged;
  private final AtomicIntegerArray sent;
  private final AtomicIntegerArray inFlight;

  /** Begins with every key at version 0, acknowledged. */
  public CheckedRows(int keys) {
    acknowledged = new AtomicIntegerArray(keys);
    sent = new AtomicIntegerArray(keys);
    inFlight = new AtomicIntegerArray(keys);
  }

  /** Returns the version the next update of the key must write; empty while one is in flight. */
  public OptionalInt beginUpdate(int key) {
    if (!inFlight.compareAndSet(key, 0, 1)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(sent.incrementAndGet(key));
  }

  /** Notes that the node acknowledged the update that was in flight. */
  public void updateSucceeded(int key, int version) {
    acknowledged.set(key, version);
    inFlight.set(key, 0);
  }

  /** Notes that nobody knows whether the update that was in flight arrived. */
  public void updateFailed(int key) {
    inFlight.set(key, 0);
  }

  /** Returns the oldest version a read of the key that begins now may return. */
  public int beginRead(int key) {
    return acknowledged.get(key);
  }

  /**
   * Returns whether a read that ends now is right.
   *
   * @param lowest what {@link #beginRead} returned before the read was sent
   * @param version the version the row claims
   * @param payload the bytes it holds
   */
  public boolean isRight(int key, int lowest, int version, ByteBuffer payload) {
    return version >= lowest
        && version <= sent.get(key)
        && payload != null
        && payload.equals(RowContent.payload(key, version));
  }
}
