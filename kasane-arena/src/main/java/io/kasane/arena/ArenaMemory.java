/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * An arena's file in this process's memory, for others to read it there by other means. Nothing is
 * written here; but it is mapped for writing if this user may write the file, since network cards
 * take no other memory. Thread-safe.
 */
public final class ArenaMemory {
  private final ArenaLayout layout;
  private final List<Part> parts;

  /**
   * Some of it in one piece.
   *
   * @param at where in the file
   */
  public record Part(long at, ByteBuffer bytes) {}

  private ArenaMemory(ArenaLayout layout, List<Part> parts) {
    this.layout = layout;
    this.parts = parts;
  }

  /**
   * Maps it.
   *
   * @throws IOException if it cannot be read, or is none
   */
  public static ArenaMemory map(Path file) throws IOException {
    boolean isWritable = Files.isWritable(file);
    Set<OpenOption> options =
        isWritable
            ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)
            : Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(file, options)) {
      ArenaLayout layout = ArenaLayout.read(ArenaLayout.headOf(channel), channel.size());
      FileChannel.MapMode mode =
          isWritable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY;
      Segments segments = Segments.map(channel, mode, layout);
      List<Part> parts = new ArrayList<>();
      parts.add(new Part(0, segments.head()));
      long at = ArenaLayout.HEAD_BYTES;
      for (ByteBuffer mapping : segments.mappings()) {
        parts.add(new Part(at, mapping));
        at += mapping.capacity();
      }
      return new ArenaMemory(layout, List.copyOf(parts));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** Whether it is of the table of that identity. */
  public boolean isOf(UUID table) {
    return layout.table().equals(table);
  }

  /** How long the file is. */
  public long fileBytes() {
    return layout.fileBytes();
  }

  /** Returns its first {@link RemoteSlots#HEAD_BYTES} bytes as they are now. */
  public byte[] head() {
    byte[] head = new byte[RemoteSlots.HEAD_BYTES];
    parts.get(0).bytes().duplicate().get(0, head);
    return head;
  }

  /** Returns all of it. */
  public List<Part> parts() {
    return parts;
  }
}
