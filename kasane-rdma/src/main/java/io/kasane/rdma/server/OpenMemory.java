/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import io.kasane.arena.ArenaMemory;
import io.kasane.arena.ArenaToken;
import io.kasane.arena.RemoteSlots;
import io.kasane.rdma.ucx.UcxMemory;
import io.kasane.rdma.wire.MemoryFrames.Memory;
import io.kasane.rdma.wire.MemoryFrames.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An arena's memory that one client may read by itself, until it is closed. Registered for that
 * client alone: else its keys would open it for as long as any other's.
 */
final class OpenMemory implements AutoCloseable {
  private static final Memory NONE = new Memory(new byte[RemoteSlots.HEAD_BYTES], 0, List.of());

  private final Optional<ArenaMemory> arena;
  private final Optional<UcxMemory> memory;

  private OpenMemory(Optional<ArenaMemory> arena) throws IOException {
    this.arena = arena;
    this.memory =
        arena.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new UcxMemory(arena.get().parts().stream().map(ArenaMemory.Part::bytes).toList()));
  }

  /**
   * Opens that of a token's table; of none if its node has none now.
   *
   * @throws IllegalArgumentException if it cannot be read by others
   */
  static OpenMemory of(Path directory, ArenaToken token) {
    Path file = directory.resolve(token.table() + ".arena");
    try {
      Optional<ArenaMemory> arena =
          Files.exists(file) ? Optional.of(ArenaMemory.map(file)) : Optional.empty();
      return new OpenMemory(arena.filter(each -> each.isOf(token.tableId())));
    } catch (IOException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What the client is told. */
  Memory told() {
    if (arena.isEmpty()) {
      return NONE;
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < arena.get().parts().size(); i++) {
      ArenaMemory.Part part = arena.get().parts().get(i);
      UcxMemory.Part opened = memory.orElseThrow().parts().get(i);
      parts.add(new Part(part.at(), opened.address(), part.bytes().capacity(), opened.key()));
    }
    return new Memory(arena.get().head(), arena.get().fileBytes(), parts);
  }

  @Override
  public void close() {
    memory.ifPresent(UcxMemory::close);
  }
}
