/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import io.kasane.rdma.ucx.Ucx;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Clients that send active messages of OpenUCX, which one thread receives. Each has a socket
 * besides, on which it is told the worker's address, and which ends with it.
 */
final class UcxServing {
  private final ServerSocketChannel listening;
  private final Requests requests;
  private final Map<Long, Connection> connections = new HashMap<>();
  private final Queue<Connection> asking = new ArrayDeque<>();
  private final Queue<Long> ended = new ConcurrentLinkedQueue<>();

  UcxServing(ServerSocketChannel listening, Requests requests) {
    this.listening = listening;
    this.requests = requests;
  }

  /** Serves for ever. */
  void run() throws Exception {
    UcpWorker worker = Ucx.newWorker();
    worker.setAmRecvHandler(
        Ucx.REQUEST,
        (header, headerBytes, data, from) -> {
          long client = UcxUtils.getByteBufferView(header, Long.BYTES).getLong();
          Connection connection = connections.computeIfAbsent(client, any -> new Connection());
          connection.from = from;
          connection.request.clear();
          if (data.getLength() > 0) {
            connection.request.put(
                UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength()));
          }
          asking.add(connection);
          return UcsConstants.STATUS.UCS_OK;
        },
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    ByteBuffer address = worker.getAddress();
    byte[] bytes = new byte[address.remaining()];
    address.get(bytes);
    daemon(() -> accept(bytes), "accept");
    Idling idling = new Idling();
    while (true) {
      boolean isIdle = worker.progress() == 0;
      Connection connection;
      while ((connection = asking.poll()) != null) {
        requests.handle(connection.request.flip(), connection);
        isIdle = false;
      }
      Long gone = ended.poll();
      if (gone != null && connections.containsKey(gone)) {
        requests.leave(connections.remove(gone));
      }
      if (isIdle) {
        idling.idle();
      } else {
        idling.reset();
      }
    }
  }

  private void accept(byte[] address) {
    try {
      while (true) {
        Socket socket = listening.accept().socket();
        daemon(() -> admit(socket, address), "connection");
      }
    } catch (IOException e) {
      throw new IllegalStateException("the server no longer listens", e);
    }
  }

  private void admit(Socket socket, byte[] address) {
    try (socket) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(address.length);
      out.write(address);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      long client = in.readLong();
      try {
        in.read(); // ends with the client
      } finally {
        ended.add(client);
      }
    } catch (IOException e) {
      // It has gone.
    }
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static final class Connection implements Caller {
    private final ByteBuffer request = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
    private final ByteBuffer reply = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
    private final long replyAt = UcxUtils.getAddress(reply);
    private UcpEndpoint from;

    @Override
    public ByteBuffer reply() {
      return reply.clear();
    }

    /** The buffer is not written before the client asks again: it has the reply then. */
    @Override
    public void send() {
      var unused =
          from.sendAmNonBlocking(
              Ucx.REPLY,
              replyAt,
              0,
              replyAt,
              reply.position(),
              UcpConstants.UCP_AM_SEND_FLAG_EAGER,
              null,
              new UcpRequestParams());
    }
  }
}
