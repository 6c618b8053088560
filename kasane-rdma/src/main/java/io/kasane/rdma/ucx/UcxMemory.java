/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpMemory;

/**
 * Memory of this process that others read without asking it. OpenUCX registers it for writing, too:
 * whoever has a key may do both. Thread-safe.
 */
public final class UcxMemory implements AutoCloseable {
  private final List<UcpMemory> registered = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();

  /**
   * What others need to know of a buffer.
   *
   * @param key that opens it
   */
  @SuppressWarnings("ArrayRecordComponent") // few, never compared
  public record Part(long address, byte[] key) {}

  /**
   * Opens it to whoever gets the keys.
   *
   * @param buffers outside the heap, whole
   * @throws IOException if what OpenUCX goes over cannot take them
   */
  public UcxMemory(List<ByteBuffer> buffers) throws IOException {
    try {
      for (ByteBuffer buffer : buffers) {
        UcpMemory memory = Ucx.context().registerMemory(buffer);
        registered.add(memory);
        ByteBuffer packed = memory.getRemoteKeyBuffer();
        byte[] key = new byte[packed.remaining()];
        packed.get(key);
        parts.add(new Part(memory.getAddress(), key));
      }
    } catch (UcxException e) {
      close();
      throw new IOException("OpenUCX does not register the arena: " + e.getMessage(), e);
    }
  }

  /** Returns what others need to know, in the order of the buffers. */
  public List<Part> parts() {
    return List.copyOf(parts);
  }

  /** Whoever reads it from now on fails. */
  @Override
  public void close() {
    registered.forEach(UcpMemory::deregister);
    registered.clear();
  }
}
