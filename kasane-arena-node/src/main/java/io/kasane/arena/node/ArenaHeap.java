/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena.node;

import io.kasane.arena.ArenaWriter;
import io.kasane.host.config.ArenaSettings;
import io.kasane.host.refuse.HostException;

/** What arenas take of the node's heap, however large their files are. */
final class ArenaHeap {
  private static final int SHARE = 4;

  private ArenaHeap() {}

  /**
   * Refuses arenas whose indexes do not fit: whoever makes a table that has one would else end the
   * node.
   *
   * @throws HostException naming what to change
   */
  static void require(ArenaSettings settings, long heapBytes) {
    long files = settings.tables().values().stream().mapToLong(Long::longValue).sum();
    long index = files / settings.slotBytes() * ArenaWriter.HEAP_BYTES_PER_SLOT;
    if (index > heapBytes / SHARE) {
      throw new HostException(
          String.format(
              "kasane.yaml: arenas.tables are %,d bytes in slots of %,d, whose index takes some %,d"
                  + " bytes of the heap, and may take a quarter of its %,d: grant less, larger"
                  + " slots, or more heap",
              files, settings.slotBytes(), index, heapBytes));
    }
  }
}
