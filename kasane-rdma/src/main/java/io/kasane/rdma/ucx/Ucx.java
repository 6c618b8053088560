/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.ucx;

import java.nio.ByteBuffer;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/** OpenUCX in this process. Not to be touched before {@link UcxSupport#whyNot} has said yes. */
public final class Ucx {
  /** The message of a request; its header is the connection's number. */
  public static final int REQUEST = 1;

  /** The message of a reply. */
  public static final int REPLY = 2;

  private static UcpContext context;
  private static boolean hasMemory;

  private Ucx() {}

  /**
   * This process's context. Over what it sends is OpenUCX's choice, or that of the system property
   * {@code kasane.ucx.tls}, such as {@code shm,self}.
   */
  public static synchronized UcpContext context() {
    if (context == null) {
      UcpParams parameters =
          new UcpParams()
              .requestAmFeature()
              .requestWakeupFeature()
              .setMtWorkersShared(true)
              // One message whatever its size: the peer is to have it before it asks for it.
              .setConfig("RNDV_THRESH", "inf");
      if (hasMemory) {
        parameters.requestRmaFeature();
      }
      String transports = System.getProperty("kasane.ucx.tls");
      context =
          new UcpContext(transports == null ? parameters : parameters.setConfig("TLS", transports));
    }
    return context;
  }

  /**
   * Memory is to be read by others, or theirs by this process. Not by default: over TCP whoever
   * reaches the port could then read and write all that this process has.
   *
   * @throws IllegalStateException if OpenUCX was begun without
   */
  static synchronized void wantMemory() {
    if (context != null && !hasMemory) {
      throw new IllegalStateException("this process has begun OpenUCX without memory before");
    }
    hasMemory = true;
  }

  /** What threads may use one after the other; without, only the one that made it. */
  public static UcpWorker newWorker() {
    return context().newWorker(new UcpWorkerParams().requestThreadSafety());
  }

  /** A copy that OpenUCX can read. */
  public static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
