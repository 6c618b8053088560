/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/**
 * What an engine takes.
 *
 * @param keyBytes the longest key
 * @param valueBytes the longest value
 */
public record EngineLimits(int keyBytes, int valueBytes) {
  /** Refuses a batch that has a key or value which is longer. */
  public void requireWithin(EngineBatch batch) {
    for (EngineBatch.Change change : batch.changes()) {
      requireAtMost(keyBytes, "key", change.key());
      if (!change.isDelete()) {
        requireAtMost(valueBytes, "value", change.value());
      }
    }
  }

  private static void requireAtMost(int most, String what, byte[] bytes) {
    if (bytes.length > most) {
      throw new IllegalArgumentException(
          "a " + what + " has " + bytes.length + " bytes, and at most " + most + " are taken");
    }
  }
}
