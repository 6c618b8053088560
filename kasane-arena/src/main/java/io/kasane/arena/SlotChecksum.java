/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The checksum of a slot, over a copy of its parts that nobody changes. */
final class SlotChecksum {
  private SlotChecksum() {}

  /**
   * Returns it.
   *
   * @param content key and body, one after the other
   */
  static int of(
      long sequence,
      long hash,
      long micros,
      long client,
      int keyBytes,
      int bodyBytes,
      ByteBuffer content) {
    ByteBuffer parts = ByteBuffer.allocate(ArenaLayout.CRC_AT).order(ByteOrder.LITTLE_ENDIAN);
    parts.putLong(sequence).putLong(hash).putLong(micros).putLong(client);
    parts.putInt(keyBytes).putInt(bodyBytes);
    CRC32C crc = new CRC32C();
    crc.update(parts.flip());
    crc.update(content.duplicate());
    return (int) crc.getValue();
  }
}
