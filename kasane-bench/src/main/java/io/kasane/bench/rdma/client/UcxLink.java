/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.rdma.store.Wire;
import io.kasane.rdma.ucx.Ucx;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;

/** Sends active messages of OpenUCX, and receives the answers itself. */
final class UcxLink extends Link {
  private static final int SPINS = 200;
  private static final int LOOKS_AT_CLOCK = 0x3FF;
  private static final AtomicLong LAST_CLIENT =
      new AtomicLong(ProcessHandle.current().pid() << Integer.SIZE);

  private final Socket socket;
  private final UcpWorker worker;
  private final UcpEndpoint server;
  private final ByteBuffer header = ByteBuffer.allocateDirect(Long.BYTES);
  private final long headerAt = UcxUtils.getAddress(header);
  private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
  private final long outAt = UcxUtils.getAddress(out);
  private final ByteBuffer in = ByteBuffer.allocateDirect(Wire.MAX_BYTES);
  private boolean isHere;

  UcxLink(int port) throws IOException {
    header.putLong(0, LAST_CLIENT.incrementAndGet());
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    DataInputStream told = new DataInputStream(socket.getInputStream());
    byte[] address = new byte[told.readInt()];
    told.readFully(address);
    new DataOutputStream(socket.getOutputStream()).writeLong(header.getLong(0));
    worker = Ucx.newWorker();
    worker.setAmRecvHandler(
        Ucx.REPLY,
        (ignored, headerBytes, data, from) -> {
          in.clear();
          if (data.getLength() > 0) {
            in.put(UcxUtils.getByteBufferView(data.getDataAddress(), data.getLength()));
          }
          isHere = true;
          return UcsConstants.STATUS.UCS_OK;
        },
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    server = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(Ucx.direct(address)));
  }

  @Override
  ByteBuffer buffer() {
    return out.clear();
  }

  @Override
  void send() {
    isHere = false;
    var unused =
        server.sendAmNonBlocking(
            Ucx.REQUEST,
            headerAt,
            Long.BYTES,
            outAt,
            out.position(),
            UcpConstants.UCP_AM_SEND_FLAG_EAGER | UcpConstants.UCP_AM_SEND_FLAG_REPLY,
            null,
            new UcpRequestParams());
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // two sides that poll may share a core
  ByteBuffer receive() throws IOException {
    long ends = 0;
    for (int looks = 0; !isHere; looks++) {
      progress();
      if (looks > SPINS && !isHere) {
        Thread.yield();
        if ((looks & LOOKS_AT_CLOCK) == 0) {
          ends = ends == 0 ? System.nanoTime() + PATIENCE_NANOS : ends;
          if (System.nanoTime() - ends > 0) {
            throw new EOFException("the server has gone");
          }
        }
      }
    }
    return in.flip();
  }

  private void progress() throws IOException {
    try {
      worker.progress();
    } catch (UcxException e) {
      throw new IOException("the server has gone", e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    server.close();
    worker.close();
  }
}
