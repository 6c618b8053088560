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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Arenas whose memory clients read by themselves, each registered once for all that read it, and
 * for as long as one does. Thread-safe.
 */
final class OpenMemory {
  private static final Memory NONE = new Memory(new byte[RemoteSlots.HEAD_BYTES], 0, List.of());

  private final Path directory;
  private final Map<Path, Shared> newest = new HashMap<>();

  OpenMemory(Path directory) {
    this.directory = directory;
  }

  /** An arena that is registered, and by how many it is read. */
  private static final class Shared {
    private final ArenaMemory arena;
    private final UcxMemory memory;
    private int leases;

    private Shared(ArenaMemory arena) throws IOException {
      this.arena = arena;
      this.memory = new UcxMemory(arena.parts().stream().map(ArenaMemory.Part::bytes).toList());
    }

    private Memory told() {
      List<Part> parts = new ArrayList<>();
      for (int i = 0; i < arena.parts().size(); i++) {
        ArenaMemory.Part part = arena.parts().get(i);
        UcxMemory.Part opened = memory.parts().get(i);
        parts.add(new Part(part.at(), opened.address(), part.bytes().capacity(), opened.key()));
      }
      return new Memory(arena.head(), arena.fileBytes(), parts);
    }
  }

  /** The right of one client to read an arena; none if there is no arena. */
  final class Lease implements AutoCloseable {
    private final Shared shared;
    private boolean isReturned;

    private Lease(Shared shared) {
      this.shared = shared;
    }

    /** What the client is told. */
    Memory told() {
      return shared == null ? NONE : shared.told();
    }

    @Override
    public void close() {
      synchronized (OpenMemory.this) {
        if (shared != null && !isReturned) {
          isReturned = true;
          returned(shared);
        }
      }
    }
  }

  /**
   * Opens an arena to a client, if its node has one now.
   *
   * @throws IllegalArgumentException if it cannot be read by others
   */
  synchronized Lease lease(ArenaToken token) {
    Path file = directory.resolve(token.table() + ".arena");
    try {
      if (!Files.exists(file)) {
        return new Lease(null);
      }
      Shared shared = newest.get(file);
      boolean isNew = shared == null || !shared.arena.isStill(file);
      ArenaMemory arena = isNew ? ArenaMemory.map(file) : shared.arena;
      if (!arena.isOf(token.tableId())) {
        return new Lease(null);
      }
      if (isNew) {
        shared = new Shared(arena);
        newest.put(file, shared);
      }
      shared.leases++;
      return new Lease(shared);
    } catch (IOException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  private void returned(Shared shared) {
    shared.leases--;
    if (shared.leases == 0) {
      newest.values().remove(shared);
      shared.memory.close();
    }
  }
}
