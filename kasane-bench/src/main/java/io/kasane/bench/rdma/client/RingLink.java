/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.rdma.store.Ring;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes into the server's memory, and polls its own for the answer. */
final class RingLink extends Link {
  private static final int SPINS = 200;
  private static final int LOOKS_AT_CLOCK = 0x3FF;

  private final Socket socket;
  private final Ring ring;

  /**
   * Connects.
   *
   * @param directory in shared memory, for the ring's file, which is gone once it is mapped
   */
  RingLink(int port, Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "ring", "");
    this.ring = Ring.map(file);
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    new DataOutputStream(socket.getOutputStream()).writeUTF(file.toString());
    new DataInputStream(socket.getInputStream()).readByte();
    Files.delete(file);
  }

  @Override
  ByteBuffer buffer() {
    return ring.requests().begin();
  }

  @Override
  void send() {
    ring.requests().send();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // two sides that poll may share a core
  ByteBuffer receive() throws IOException {
    long ends = 0;
    for (int looks = 0; ; looks++) {
      ByteBuffer reply = ring.replies().poll();
      if (reply != null) {
        return reply;
      }
      if (looks < SPINS) {
        Thread.onSpinWait();
        continue;
      }
      Thread.yield();
      if ((looks & LOOKS_AT_CLOCK) == 0) {
        ends = ends == 0 ? System.nanoTime() + PATIENCE_NANOS : ends;
        if (System.nanoTime() - ends > 0) {
          throw new EOFException("the server has gone");
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
