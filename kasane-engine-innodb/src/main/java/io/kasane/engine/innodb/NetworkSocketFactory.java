/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.server.ChannelSocket;
import java.net.Socket;

/**
 * Connects the client to a port: its own way waits for ever where it sends to a server that is
 * stopped.
 */
public final class NetworkSocketFactory extends UnconnectedSocketFactory {
  @Override
  public Socket createSocket() {
    return ChannelSocket.unconnected();
  }
}
