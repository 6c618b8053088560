/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/** Asks one server, a request after the other; who asks polls until he has the answer. */
public final class UcxClient implements AutoCloseable {
  private static final int SPINS = 200;

  private final UcpWorker worker = Ucx.context().newWorker(new UcpWorkerParams());
  private final UcpEndpoint server;
  private final ByteBuffer header = ByteBuffer.allocateDirect(Long.BYTES);
  private ByteBuffer out = ByteBuffer.allocateDirect(4_096);
  private byte[] reply;
  private boolean isClosed;

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
  @SuppressWarnings("ThreadPriorityCheck") // two sides that poll may share a core
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
        if (looks < SPINS) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
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
      server.close();
      worker.close();
    }
  }
}
