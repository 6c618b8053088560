/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.ChannelSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.mariadb.jdbc.Configuration;

/**
 * Connects the client to a socket of this machine: its own way to such sockets waits for ever for a
 * server that is stopped.
 */
public final class LocalSocketFactory extends UnconnectedSocketFactory {
  /** The client's option that names the socket. */
  static final String PATH_OPTION = "kasaneSocket";

  private Path path;

  @Override
  public void setConfiguration(Configuration configuration, String host) {
    path = Path.of(configuration.nonMappedOptions().getProperty(PATH_OPTION));
  }

  @Override
  public Socket createSocket() {
    return ChannelSocket.to(path);
  }
}
