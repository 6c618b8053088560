/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Clients on sockets, all on one thread: whoever has asked is answered by the thread that saw it.
 * Messages come after their length (4).
 */
final class SocketServing {
  private final ServerSocketChannel listening;
  private final Requests requests;

  SocketServing(ServerSocketChannel listening, Requests requests) {
    this.listening = listening;
    this.requests = requests;
  }

  /** Serves for ever. */
  void run() throws IOException {
    try (Selector selector = Selector.open()) {
      listening.configureBlocking(false);
      listening.register(selector, SelectionKey.OP_ACCEPT);
      while (true) {
        selector.select();
        for (SelectionKey ready : selector.selectedKeys()) {
          if (ready.isAcceptable()) {
            accept(selector);
          } else {
            serve(ready);
          }
        }
        selector.selectedKeys().clear();
      }
    }
  }

  private void accept(Selector selector) throws IOException {
    SocketChannel socket = listening.accept();
    if (socket != null) {
      socket.configureBlocking(false);
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.register(selector, SelectionKey.OP_READ, new Connection(socket));
    }
  }

  private void serve(SelectionKey ready) throws IOException {
    Connection connection = (Connection) ready.attachment();
    try {
      connection.read();
    } catch (IOException e) {
      ready.cancel();
      connection.socket.close();
      requests.leave(connection);
    }
  }

  private final class Connection implements Caller {
    private final SocketChannel socket;
    private final ByteBuffer in = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.MAX_BYTES);

    Connection(SocketChannel socket) {
      this.socket = socket;
    }

    void read() throws IOException {
      if (socket.read(in) < 0) {
        throw new EOFException();
      }
      in.flip();
      while (in.remaining() >= Integer.BYTES
          && in.remaining() - Integer.BYTES >= in.getInt(in.position())) {
        int length = in.getInt();
        ByteBuffer request = in.slice(in.position(), length);
        in.position(in.position() + length);
        requests.handle(request, this);
      }
      in.compact();
    }

    @Override
    public ByteBuffer reply() {
      return out.clear().position(Integer.BYTES);
    }

    /** Whoever asked reads the answer before anything else. */
    @Override
    public void send() throws IOException {
      out.putInt(0, out.position() - Integer.BYTES).flip();
      while (out.hasRemaining()) {
        if (socket.write(out) == 0) {
          Thread.onSpinWait();
        }
      }
    }
  }
}
