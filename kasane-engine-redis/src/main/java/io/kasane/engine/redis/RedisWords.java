/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Words of commands as bytes. */
final class RedisWords {
  private RedisWords() {}

  static byte[] of(String word) {
    return word.getBytes(UTF_8);
  }

  static byte[] of(long number) {
    return of(Long.toString(number));
  }

  static String text(Object answer) {
    return new String((byte[]) answer, UTF_8);
  }
}
