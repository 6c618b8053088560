/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** A mapped file whose sets lie whole in one mapping each: a mapping has 2 GiB at most. */
final class Segments {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MAX_MAPPING_BYTES = 1L << 30;

  private final ArenaLayout layout;
  private final MappedByteBuffer head;
  private final ByteBuffer[] mappings;
  private final long setsPerMapping;

  private Segments(
      ArenaLayout layout, MappedByteBuffer head, ByteBuffer[] mappings, long setsPerMapping) {
    this.layout = layout;
    this.head = head;
    this.mappings = mappings;
    this.setsPerMapping = setsPerMapping;
  }

  static Segments map(FileChannel file, FileChannel.MapMode mode, ArenaLayout layout)
      throws IOException {
    MappedByteBuffer head = file.map(mode, 0, ArenaLayout.HEAD_BYTES);
    head.order(ByteOrder.LITTLE_ENDIAN);
    long setsPerMapping = Math.max(1, MAX_MAPPING_BYTES / layout.setBytes());
    int count = (int) ((layout.sets() + setsPerMapping - 1) / setsPerMapping);
    ByteBuffer[] mappings = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      long first = i * setsPerMapping;
      long sets = Math.min(setsPerMapping, layout.sets() - first);
      mappings[i] =
          file.map(
                  mode,
                  ArenaLayout.HEAD_BYTES + first * layout.setBytes(),
                  sets * layout.setBytes())
              .order(ByteOrder.LITTLE_ENDIAN);
    }
    return new Segments(layout, head, mappings, setsPerMapping);
  }

  MappedByteBuffer head() {
    return head;
  }

  /** Returns all of them, in the order of the file. */
  List<ByteBuffer> mappings() {
    return List.of(mappings);
  }

  /** Returns the mapping that a set lies in. */
  ByteBuffer mappingOf(long set) {
    return mappings[(int) (set / setsPerMapping)];
  }

  /** Returns where in its mapping a slot begins. */
  int slotAt(long set, int way) {
    return (int) (set % setsPerMapping * layout.setBytes()) + way * layout.slotBytes();
  }

  static long getAcquire(ByteBuffer mapping, int at) {
    return (long) LONGS.getAcquire(mapping, at);
  }

  static void setRelease(ByteBuffer mapping, int at, long value) {
    LONGS.setRelease(mapping, at, value);
  }

  static void setVolatile(ByteBuffer mapping, int at, long value) {
    LONGS.setVolatile(mapping, at, value);
  }

  static int getIntAcquire(ByteBuffer mapping, int at) {
    return (int) INTS.getAcquire(mapping, at);
  }

  static void setIntRelease(ByteBuffer mapping, int at, int value) {
    INTS.setRelease(mapping, at, value);
  }
}
