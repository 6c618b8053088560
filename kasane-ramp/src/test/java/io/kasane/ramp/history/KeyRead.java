/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;

/**
 * What a transaction saw of one key.
 *
 * @param key which key
 * @param value the number of the transaction that wrote what it saw, {@link
 *     Operation#NEVER_WRITTEN} for nothing, {@link #BY_TIMESTAMP} where only the timestamp is known
 * @param timestamp of what it saw, {@link Timestamp#NONE} where the store has none
 */
public record KeyRead(long key, long value, Timestamp timestamp) {
  /** The writer is to be found by its timestamp: a deletion has no value that would name it. */
  public static final long BY_TIMESTAMP = -2;

  /** Nothing was there. */
  public static KeyRead nothing(long key) {
    return new KeyRead(key, Operation.NEVER_WRITTEN, Timestamp.NONE);
  }

  /** A deletion was there. */
  public static KeyRead deletion(long key, Timestamp timestamp) {
    return new KeyRead(key, BY_TIMESTAMP, timestamp);
  }
}
