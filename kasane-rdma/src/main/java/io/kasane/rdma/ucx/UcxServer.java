/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Receives and answers on one thread, which sleeps while nothing comes. Who asks shows a number
 * that he was given elsewhere; what shows none is not looked at. Thread-safe.
 */
public final class UcxServer implements AutoCloseable {
  private static final int SPINS = 2_000;

  /** Who asks for more than that at once is not answered. */
  private static final int MAX_WAITING = 10_000;

  @SuppressWarnings("ArrayRecordComponent") // one of many, never compared
  private record Asked(long connection, UcpEndpoint from, byte[] request) {}

  private final Map<Long, UnaryOperator<byte[]>> admitted = new ConcurrentHashMap<>();
  private final Map<Long, Outgoing> outgoing = new HashMap<>();
  private final Queue<Asked> asked = new ArrayDeque<>();
  private final UcpWorker worker = Ucx.context().newWorker(new UcpWorkerParams());
  private final byte[] address = bytesOf(worker.getAddress());
  private final Thread thread = new Thread(this::serve, "kasane-rdma-ucx");
  private volatile boolean isClosed;

  /**
   * Serves from now on, nobody yet.
   *
   * @param maxRequestBytes longer requests are not looked at
   */
  public UcxServer(int maxRequestBytes) {
    worker.setAmRecvHandler(
        Ucx.REQUEST,
        (header, headerBytes, data, from) -> {
          if (headerBytes == Long.BYTES
              && data.isDataValid()
              && data.getLength() > 0
              && data.getLength() <= maxRequestBytes
              && asked.size() < MAX_WAITING) {
            long connection = UcxUtils.getByteBufferView(header, Long.BYTES).getLong();
            if (admitted.containsKey(connection)) {
              ByteBuffer view = UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength());
              asked.add(new Asked(connection, from, bytesOf(view)));
            }
          }
          return UcsConstants.STATUS.UCS_OK;
        },
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    thread.setDaemon(true);
    thread.start();
  }

  private static byte[] bytesOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Where it is to be reached. */
  public byte[] address() {
    return address.clone();
  }

  /**
   * Answers whoever shows that number from now on.
   *
   * @param connection that nobody can guess
   * @param answers to a request, on the server's thread; null for none
   */
  public void admit(long connection, UnaryOperator<byte[]> answers) {
    admitted.put(connection, answers);
  }

  /** Answers it no more. */
  public void dismiss(long connection) {
    admitted.remove(connection);
  }

  private void serve() {
    int idle = 0;
    try {
      while (!isClosed) {
        boolean isIdle = worker.progress() == 0 && asked.isEmpty();
        for (Asked next = asked.poll(); next != null; next = asked.poll()) {
          answer(next);
        }
        if (outgoing.size() > admitted.size()) {
          outgoing.keySet().retainAll(admitted.keySet());
        }
        if (!isIdle) {
          idle = 0;
        } else if (++idle < SPINS) {
          Thread.onSpinWait();
        } else {
          worker.waitForEvents();
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("OpenUCX has failed: nobody is served by it any more", e);
    } finally {
      worker.close();
    }
  }

  private void answer(Asked next) {
    UnaryOperator<byte[]> answers = admitted.get(next.connection);
    byte[] reply = answers == null ? null : answers.apply(next.request);
    if (reply != null) {
      try {
        outgoing.computeIfAbsent(next.connection, any -> new Outgoing()).send(next.from, reply);
      } catch (UcxException e) {
        dismiss(next.connection); // it has gone
      }
    }
  }

  /** Does not wait for what it has sent. */
  @Override
  public void close() {
    isClosed = true;
    worker.signal();
  }

  /** What is sent to one client, in memory that lasts until it is. */
  private static final class Outgoing {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private UcpRequest last;

    void send(UcpEndpoint to, byte[] reply) {
      if (buffer.capacity() < reply.length || (last != null && !last.isCompleted())) {
        buffer = ByteBuffer.allocateDirect(Math.max(4_096, 2 * reply.length));
      }
      buffer.clear().put(reply).flip();
      long at = UcxUtils.getAddress(buffer);
      last =
          to.sendAmNonBlocking(
              Ucx.REPLY,
              at,
              0,
              at,
              reply.length,
              UcpConstants.UCP_AM_SEND_FLAG_EAGER,
              null,
              new UcpRequestParams());
    }
  }
}
