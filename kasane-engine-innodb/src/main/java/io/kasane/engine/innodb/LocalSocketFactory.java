/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.util.ConfigurableSocketFactory;

/**
 * Connects the client to a socket of this machine: its own way to such sockets waits for ever for a
 * server that is stopped.
 */
public final class LocalSocketFactory extends ConfigurableSocketFactory {
  /** The client's option that names the socket. */
  static final String PATH_OPTION = "kasaneSocket";

  private Path path;

  @Override
  public void setConfiguration(Configuration configuration, String host) {
    path = Path.of(configuration.nonMappedOptions().getProperty(PATH_OPTION));
  }

  @Override
  public Socket createSocket() {
    return new LocalSocket(path);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("only by " + SocketFactory.class.getName() + ".createSocket()");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostName(), port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }
}
