/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.nio.ByteBuffer;

/**
 * A version of a key, with its place among all versions of that key. The body is not to be changed.
 *
 * @param micros when it was written; the later one is newer
 * @param client by whom: of one microsecond the higher one, unsigned, is newer
 * @param body all of its bytes
 */
public record ArenaVersion(long micros, long client, ByteBuffer body) {
  /** Whether it is newer than the one of that place. */
  boolean isAfter(long otherMicros, long otherClient) {
    return micros != otherMicros
        ? micros > otherMicros
        : Long.compareUnsigned(client, otherClient) > 0;
  }
}
