/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.rdma.store.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket; the thread that wants an answer waits in the kernel. */
final class SocketLink extends Link {
  private final SocketChannel socket;
  private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(Wire.MAX_BYTES);

  SocketLink(int port) throws IOException {
    socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  ByteBuffer buffer() {
    return out.clear().position(Integer.BYTES);
  }

  @Override
  void send() throws IOException {
    out.putInt(0, out.position() - Integer.BYTES).flip();
    while (out.hasRemaining()) {
      socket.write(out);
    }
  }

  @Override
  ByteBuffer receive() throws IOException {
    in.clear();
    while (in.position() < Integer.BYTES || in.position() - Integer.BYTES < in.getInt(0)) {
      if (socket.read(in) < 0) {
        throw new EOFException("the server has gone");
      }
    }
    return in.flip().position(Integer.BYTES);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
