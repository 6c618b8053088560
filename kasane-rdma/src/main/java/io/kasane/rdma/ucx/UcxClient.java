/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * Asks one server, a request after the other, or reads its memory; who asks polls until he has the
 * answer.
 */
public final class UcxClient implements AutoCloseable {
  private static final int SPINS = 200;

  private final UcpWorker worker = Ucx.newWorker();
  private final UcpEndpoint server;
  private final ByteBuffer header = ByteBuffer.allocateDirect(Long.BYTES);
  private final List<UcpRemoteKey> keys = new ArrayList<>();
  private ByteBuffer out = ByteBuffer.allocateDirect(4_096);
  private ByteBuffer in = ByteBuffer.allocateDirect(4_096);
  private byte[] reply;
  private boolean isClosed;

  /** What was to be copied may still come: the memory for it must not be used again. */
  private boolean isAbandoned;

  /**
   * A part of the server's memory to copy.
   *
   * @param part which of {@link #openMemory}'s keys opens it
   * @param address where the server has it
   */
  public record Get(int part, long address, int bytes) {}

  /**
   * Connects with the first request.
   *
   * @param address where the server is
   * @param connection the number that it was told to answer
   */
  public UcxClient(byte[] address, long connection) {
    header.putLong(0, connection);
    worker.setAmRecvHandler(
        Ucx.REPLY,
        (ignored, headerBytes, data, from) -> {
          if (data.isDataValid() && data.getLength() > 0) {
            ByteBuffer view = UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength());
            reply = new byte[view.remaining()];
            view.get(reply);
          }
          return UcsConstants.STATUS.UCS_OK;
        },
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    server = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(Ucx.direct(address)));
  }

  /**
   * Asks.
   *
   * @param isAnswer tells the answer from late ones to requests before
   * @param isOver whether nobody wants it any more; asked often
   * @return the answer; null if it was over before
   * @throws IOException if the server has gone
   */
  public synchronized byte[] ask(byte[] request, Predicate<byte[]> isAnswer, BooleanSupplier isOver)
      throws IOException {
    if (isClosed) {
      throw new IOException("closed");
    }
    try {
      send(request);
      for (int looks = 0; !isOver.getAsBoolean(); looks++) {
        worker.progress();
        byte[] came = reply;
        reply = null;
        if (came != null && isAnswer.test(came)) {
          return came;
        }
        pause(looks);
      }
      // The memory is OpenUCX's until it has been sent.
      out = ByteBuffer.allocateDirect(out.capacity());
      return null;
    } catch (UcxException e) {
      throw new IOException("OpenUCX: " + e.getMessage(), e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // two sides that poll may share a core
  private static void pause(int looks) {
    if (looks < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /**
   * Takes keys of the server's memory.
   *
   * @throws IOException if they are none
   */
  public synchronized void openMemory(List<byte[]> packed) throws IOException {
    try {
      for (byte[] key : packed) {
        keys.add(server.unpackRemoteKey(Ucx.direct(key)));
      }
    } catch (UcxException e) {
      throw new IOException("OpenUCX: " + e.getMessage(), e);
    }
  }

  /**
   * Copies parts of the server's memory, of which it does not hear. In no order: what is written
   * there meanwhile may be copied in part.
   *
   * @param isOver as in {@link #ask}
   * @return each part's bytes; null if it was over before, and then nothing can be copied any more
   * @throws IOException if the server has gone
   */
  public synchronized List<ByteBuffer> read(List<Get> gets, BooleanSupplier isOver)
      throws IOException {
    if (isClosed || isAbandoned) {
      throw new IOException("closed");
    }
    try {
      return copied(gets, isOver);
    } catch (UcxException e) {
      isAbandoned = true;
      throw new IOException("OpenUCX: " + e.getMessage(), e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private List<ByteBuffer> copied(List<Get> gets, BooleanSupplier isOver) throws Exception {
    int bytes = gets.stream().mapToInt(Get::bytes).sum();
    if (in.capacity() < bytes) {
      in = ByteBuffer.allocateDirect(2 * bytes);
    }
    List<UcpRequest> under = new ArrayList<>(gets.size());
    long at = UcxUtils.getAddress(in);
    for (Get get : gets) {
      under.add(
          server.getNonBlocking(
              get.address(), keys.get(get.part()), at, get.bytes(), null, new UcpRequestParams()));
      at += get.bytes();
    }
    int done = 0;
    for (int looks = 0; done < under.size(); looks++) {
      while (done < under.size() && under.get(done).isCompleted()) {
        if (under.get(done).getStatus() != UcsConstants.STATUS.UCS_OK) {
          throw new UcxException("a read failed: " + under.get(done).getStatus());
        }
        done++;
      }
      if (done < under.size()) {
        if (isOver.getAsBoolean()) {
          isAbandoned = true;
          return null;
        }
        worker.progress();
        pause(looks);
      }
    }
    List<ByteBuffer> copies = new ArrayList<>(gets.size());
    int from = 0;
    for (Get get : gets) {
      byte[] copy = new byte[get.bytes()];
      in.get(from, copy);
      copies.add(ByteBuffer.wrap(copy));
      from += get.bytes();
    }
    return copies;
  }

  private void send(byte[] request) {
    if (out.capacity() < request.length) {
      out = ByteBuffer.allocateDirect(2 * request.length);
    }
    out.clear().put(request).flip();
    var unused =
        server.sendAmNonBlocking(
            Ucx.REQUEST,
            UcxUtils.getAddress(header),
            Long.BYTES,
            UcxUtils.getAddress(out),
            request.length,
            UcpConstants.UCP_AM_SEND_FLAG_EAGER | UcpConstants.UCP_AM_SEND_FLAG_REPLY,
            null,
            new UcpRequestParams());
  }

  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      keys.forEach(UcpRemoteKey::close);
      server.close();
      worker.close();
    }
  }
}
