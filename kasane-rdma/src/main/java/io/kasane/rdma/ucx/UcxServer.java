/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Receives and answers on one thread, which sleeps while nothing comes. Who asks shows a number
 * that he was given elsewhere; what shows none is not looked at. Thread-safe.
 */
public final class UcxServer implements AutoCloseable {
  private static final int SPINS = 2_000;

  /** What is asked beyond that at once is not answered. */
  private static final int MAX_WAITING_BYTES = 64 << 20;

  /** Larger memory for replies is not kept. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  @SuppressWarnings("ArrayRecordComponent") // one of many, never compared
  private record Asked(long connection, UcpEndpoint from, byte[] request) {}

  private final Map<Long, UnaryOperator<byte[]>> admitted = new ConcurrentHashMap<>();
  private final Map<Long, Outgoing> outgoing = new HashMap<>();
  private final Queue<Asked> asked = new ArrayDeque<>();
  private final UcpWorker worker = Ucx.newWorker();
  private final byte[] address = bytesOf(worker.getAddress());
  private final Thread thread = new Thread(this::serve, "kasane-rdma-ucx");
  private volatile boolean isClosed;

  /** Of the server's thread, as what is asked. */
  private long waitingBytes;

  /** Guarded by this. */
  private boolean hasEnded;

  /**
   * Serves from now on, nobody yet.
   *
   * @param maxRequestBytes longer requests are not looked at
   */
  public UcxServer(int maxRequestBytes) {
    worker.setAmRecvHandler(
        Ucx.REQUEST,
        (header, headerBytes, data, from) -> {
          boolean isRequest =
              headerBytes == Long.BYTES
                  && data.isDataValid()
                  && data.getLength() > 0
                  && data.getLength() <= maxRequestBytes;
          if (isRequest) {
            long connection = UcxUtils.getByteBufferView(header, Long.BYTES).getLong();
            take(connection, from, data.getDataAddress(), data.getLength());
          }
          return UcsConstants.STATUS.UCS_OK;
        },
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    thread.setDaemon(true);
    thread.start();
  }

  private void take(long connection, UcpEndpoint from, long at, long length) {
    if (admitted.containsKey(connection) && waitingBytes + length <= MAX_WAITING_BYTES) {
      asked.add(new Asked(connection, from, bytesOf(UcxUtils.getByteBufferView(at, length))));
      waitingBytes += length;
    }
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
          waitingBytes -= next.request.length;
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
      synchronized (this) {
        hasEnded = true;
        worker.close();
      }
    }
  }

  /** Whatever one client asks for, the others are served on. */
  private void answer(Asked next) {
    UnaryOperator<byte[]> answers = admitted.get(next.connection);
    if (answers == null) {
      return;
    }
    try {
      byte[] reply = answers.apply(next.request);
      if (reply != null) {
        outgoing.computeIfAbsent(next.connection, any -> new Outgoing()).send(next.from, reply);
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      dismiss(next.connection); // it has gone, or wants what is not there
    }
  }

  /** Does not wait for what it has sent. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (!hasEnded) {
      worker.signal();
    }
  }

  /** What is sent to one client, in memory that lasts until it is. */
  private static final class Outgoing {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private UcpRequest last;

    void send(UcpEndpoint to, byte[] reply) {
      boolean isFree = last == null || last.isCompleted();
      if (!isFree || buffer.capacity() < reply.length || buffer.capacity() > MAX_KEPT_BYTES) {
        buffer = ByteBuffer.allocateDirect(Math.max(4_096, reply.length));
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
