/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import java.nio.ByteBuffer;

/** What a slot says that was read whole. */
final class Slots {
  private Slots() {}

  /**
   * The version, if it is the key's.
   *
   * @param content key and body, which nobody changes
   */
  static Answer answer(ByteBuffer content, int keyBytes, ArenaKey key, int way) {
    byte[] own = key.bytes();
    if (keyBytes != own.length || content.slice(0, keyBytes).mismatch(ByteBuffer.wrap(own)) >= 0) {
      return Answer.MISS; // another key of the same hash
    }
    return new Answer(Outcome.HIT, content.position(keyBytes).slice(), way);
  }
}
