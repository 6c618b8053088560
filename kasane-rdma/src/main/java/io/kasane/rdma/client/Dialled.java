/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Frames.Hello;
import io.kasane.rdma.wire.Service;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection that was admitted.
 *
 * @param beganNanos before anything was asked
 */
record Dialled(Socket socket, DataInputStream in, DataOutputStream out, long beganNanos)
    implements Closeable {
  private static final Duration MAX_CONNECT = Duration.ofSeconds(2);
  private static final int BUFFER_BYTES = 64 << 10;

  /**
   * Connects and shows the token.
   *
   * @throws IOException if nobody is there, or it refuses, with the reason
   */
  static Dialled of(Admission admission, Optional<SSLContext> tls, Service wanted)
      throws IOException {
    long beganNanos = System.nanoTime();
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(
          new InetSocketAddress(admission.host(), admission.port()), (int) MAX_CONNECT.toMillis());
      socket.setSoTimeout((int) MAX_CONNECT.toMillis());
      Socket spoken = tls.isPresent() ? over(tls.get(), socket, admission) : socket;
      Dialled dialled =
          new Dialled(
              socket,
              new DataInputStream(new BufferedInputStream(spoken.getInputStream(), BUFFER_BYTES)),
              new DataOutputStream(
                  new BufferedOutputStream(spoken.getOutputStream(), BUFFER_BYTES)),
              beganNanos);
      Frames.writeHello(dialled.out, new Hello(admission.token(), wanted));
      String refusal = Frames.readWelcome(dialled.in);
      if (!refusal.isEmpty()) {
        throw new IOException(refusal);
      }
      return dialled;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket over(SSLContext context, Socket socket, Admission admission)
      throws IOException {
    SSLSocket spoken =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(socket, admission.host(), admission.port(), false);
    SSLParameters parameters = spoken.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    spoken.setSSLParameters(parameters);
    spoken.startHandshake();
    return spoken;
  }

  /** From now on what comes may take as long as it takes. */
  void waitForEver() throws IOException {
    socket.setSoTimeout(0);
  }

  /** What lies beneath TLS: whoever writes is let go at once. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }
}
