/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Speaks TLS to clients, with a key and certificates from a key store. Thread-safe. */
public final class ServerTls {
  private final SSLContext context;

  private ServerTls(SSLContext context) {
    this.context = context;
  }

  /**
   * With those of a file, PKCS12 or JKS, as Cassandra's own are.
   *
   * @param passwordFile whose first line is the password of the store and of its key
   * @throws IOException if they cannot be used, with the reason
   */
  public static ServerTls of(Path keyStore, Path passwordFile) throws IOException {
    char[] password = password(passwordFile);
    try {
      KeyStore store = KeyStore.getInstance(keyStore.toFile(), password);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return new ServerTls(context);
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IOException(keyStore + ": " + e.getMessage(), e);
    } finally {
      Arrays.fill(password, ' ');
    }
  }

  private static char[] password(Path file) throws IOException {
    return Files.readString(file).lines().findFirst().orElse("").toCharArray();
  }

  /** Speaks it on a connection, whose handshake is the first read's. */
  Socket over(Socket connection) throws IOException {
    return context.getSocketFactory().createSocket(connection, null, false);
  }
}
