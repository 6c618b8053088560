/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/**
 * OpenUCX, where its libraries are on {@code java.library.path}. Its signal handlers must be off:
 * {@code UCX_HANDLE_ERRORS=none} in the environment, before the process begins, since the JVM's own
 * need those signals.
 */
public final class Ucx {
  /** The message of a request; its header is the client's number. */
  public static final int REQUEST = 1;

  /** The message of a reply. */
  public static final int REPLY = 2;

  private static UcpContext context;

  private Ucx() {}

  /** This process's context: messages over memory that processes of this host share. */
  public static synchronized UcpContext context() {
    if (context == null) {
      context =
          new UcpContext(
              new UcpParams()
                  .requestAmFeature()
                  .setMtWorkersShared(true)
                  .setConfig("TLS", "shm,self")
                  // One message whatever its size: the peer is to have it before it asks for it.
                  .setConfig("RNDV_THRESH", "inf"));
    }
    return context;
  }

  /** Why it cannot be used here; empty if it can. */
  public static Optional<String> whyNot() {
    if (!"none".equals(System.getenv("UCX_HANDLE_ERRORS"))) {
      return Optional.of("UCX_HANDLE_ERRORS=none is not in the environment");
    }
    try {
      context();
      return Optional.empty();
    } catch (UcxException | LinkageError e) {
      return Optional.of(
          "no libucp on java.library.path ("
              + System.getProperty("java.library.path")
              + "): "
              + e.getMessage());
    }
  }

  /** A copy that UCX can read. */
  public static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }
}
