/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Clients that write into this process's memory, which one thread polls. Each has a socket besides,
 * on which it names its {@link Ring}'s file, and which ends with it.
 */
final class RingServing {
  private final ServerSocketChannel listening;
  private final Requests requests;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();

  RingServing(ServerSocketChannel listening, Requests requests) {
    this.listening = listening;
    this.requests = requests;
  }

  /** Serves for ever. */
  void run() throws IOException {
    daemon(this::accept, "accept");
    Idling idling = new Idling();
    while (true) {
      boolean isIdle = true;
      for (Connection connection : connections) {
        ByteBuffer request = connection.ring.requests().poll();
        if (request != null) {
          requests.handle(request, connection);
          isIdle = false;
        } else if (connection.hasEnded) {
          requests.leave(connection);
          connection.hasLeft = true;
        }
      }
      connections.removeIf(connection -> connection.hasLeft);
      if (isIdle) {
        idling.idle();
      } else {
        idling.reset();
      }
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept().socket();
        daemon(() -> admit(socket), "connection");
      }
    } catch (IOException e) {
      throw new IllegalStateException("the server no longer listens", e);
    }
  }

  private void admit(Socket socket) {
    Connection connection = null;
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      connection = new Connection(Ring.map(Path.of(in.readUTF())));
      connections.add(connection);
      new DataOutputStream(socket.getOutputStream()).writeByte(0);
      in.read(); // ends with the client
    } catch (IOException e) {
      // It has gone.
    } finally {
      if (connection != null) {
        connection.hasEnded = true;
      }
    }
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static final class Connection implements Caller {
    private final Ring ring;
    private volatile boolean hasEnded;
    private boolean hasLeft;

    Connection(Ring ring) {
      this.ring = ring;
    }

    @Override
    public ByteBuffer reply() {
      return ring.replies().begin();
    }

    @Override
    public void send() {
      ring.replies().send();
    }
  }
}
