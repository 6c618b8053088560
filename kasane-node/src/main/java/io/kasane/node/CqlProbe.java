/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Asks whether a CQL server answers, without a driver: one OPTIONS frame of protocol version 4.
 *
 * <pre>
 * request   04 flags=00 stream=0000 opcode=05 length=00000000
 * response  84 flags    stream      opcode=06 (SUPPORTED) length ...
 * </pre>
 */
final class CqlProbe {
  private static final byte[] OPTIONS = {4, 0, 0, 0, 5, 0, 0, 0, 0};
  private static final int RESPONSE = 0x80;
  private static final int SUPPORTED = 6;
  private static final int TIMEOUT_MILLIS = 2000;

  private CqlProbe() {}

  /** Returns whether a CQL server at the address answers within two seconds. */
  static boolean answers(String address, int port) {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(address, port), TIMEOUT_MILLIS);
      socket.getOutputStream().write(OPTIONS);
      byte[] header = new byte[OPTIONS.length];
      new DataInputStream(socket.getInputStream()).readFully(header);
      return (header[0] & RESPONSE) != 0 && header[4] == SUPPORTED;
    } catch (IOException e) {
      return false;
    }
  }
}
