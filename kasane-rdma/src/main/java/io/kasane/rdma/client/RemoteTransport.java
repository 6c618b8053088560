/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.rdma.wire.Service;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How the processes beside nodes are asked. Where one of the two sides lacks what it needs, it is
 * what comes before it: TCP, messages by OpenUCX, memory by OpenUCX. The connection by TCP is there
 * whatever is used, and says that the other side is.
 *
 * @param tls to speak on TCP, if any: whom it trusts, the host's name being among what is checked
 * @param preferred what is used if it can be
 */
public record RemoteTransport(Optional<SSLContext> tls, Service preferred) {
  /** TCP, without TLS. */
  public static RemoteTransport tcp() {
    return new RemoteTransport(Optional.empty(), Service.TCP);
  }

  /** The same, with TLS on TCP. */
  public RemoteTransport withTls(SSLContext context) {
    return new RemoteTransport(Optional.of(context), preferred);
  }

  /** The same, with requests and answers by OpenUCX. */
  public RemoteTransport preferringUcx() {
    return new RemoteTransport(tls, Service.MESSAGES);
  }

  /**
   * The same, and arenas read out of the other host's memory, whose processor does nothing for it.
   * Needs a token that opens memory: SELECT on {@code kasane_arena_memory}. A process that uses
   * both makes a session with memory first.
   */
  public RemoteTransport preferringMemory() {
    return new RemoteTransport(tls, Service.MEMORY);
  }
}
