/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A connection that nobody else can read, to a server whose certificate is signed, and names the
 * host that was asked for. For one thread.
 */
public final class TlsChannel implements TimedChannel {
  private final ServerChannel below;
  private final SSLSocket socket;

  private TlsChannel(ServerChannel below, SSLSocket socket) {
    this.below = below;
    this.socket = socket;
  }

  /**
   * Connects to a port.
   *
   * @param certificates a file of those that may have signed the server's, as PEM; empty for those
   *     that this Java trusts
   * @param most how long that, and a call from then on, may take
   */
  public static TlsChannel open(String host, int port, Optional<Path> certificates, Duration most)
      throws IOException {
    SSLContext context = context(certificates);
    ServerChannel below = ServerChannel.open(new InetSocketAddress(host, port), most);
    try {
      below.within(most);
      SSLSocket socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(ChannelSocket.over(below), host, port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new TlsChannel(below, socket);
    } catch (IOException | RuntimeException e) {
      below.close();
      throw e;
    }
  }

  private static SSLContext context(Optional<Path> certificates) throws IOException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(certificates.isEmpty() ? null : store(certificates.get()));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("certificates " + certificates.orElse(null) + ": " + e.getMessage(), e);
    }
  }

  private static KeyStore store(Path certificates) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream file = Files.newInputStream(certificates)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        store.setCertificateEntry(String.valueOf(number++), each);
      }
    }
    return store;
  }

  @Override
  public void within(Duration duration) {
    below.within(duration);
  }

  @Override
  public int read(ByteBuffer in) throws IOException {
    int read =
        socket.getInputStream().read(in.array(), in.arrayOffset() + in.position(), in.remaining());
    if (read > 0) {
      in.position(in.position() + read);
    }
    return read;
  }

  @Override
  public void write(ByteBuffer out) throws IOException {
    socket
        .getOutputStream()
        .write(out.array(), out.arrayOffset() + out.position(), out.remaining());
    out.position(out.limit());
  }

  /** Says no good-bye, which could take long: nobody waits for what is still to come. */
  @Override
  public void close() {
    below.close();
  }
}
