/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How the processes beside nodes are asked.
 *
 * @param tls to speak on TCP, if any: whom it trusts, the host's name being among what is checked
 * @param prefersUcx whether requests and answers go by OpenUCX where both sides have it: the
 *     connection by TCP stays, and says that the other side is there
 */
public record RemoteTransport(Optional<SSLContext> tls, boolean prefersUcx) {
  /** TCP, without TLS. */
  public static RemoteTransport tcp() {
    return new RemoteTransport(Optional.empty(), false);
  }

  /** The same, with TLS on TCP. */
  public RemoteTransport withTls(SSLContext context) {
    return new RemoteTransport(Optional.of(context), prefersUcx);
  }

  /** The same, by OpenUCX where that can be. */
  public RemoteTransport preferringUcx() {
    return new RemoteTransport(tls, true);
  }
}
