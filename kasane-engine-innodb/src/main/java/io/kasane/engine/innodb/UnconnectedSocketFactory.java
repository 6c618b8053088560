/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.util.ConfigurableSocketFactory;

/** Makes sockets in the one way that the client asks for: without an address. */
abstract class UnconnectedSocketFactory extends ConfigurableSocketFactory {
  @Override
  public abstract Socket createSocket();

  @Override
  public void setConfiguration(Configuration configuration, String host) {}

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
