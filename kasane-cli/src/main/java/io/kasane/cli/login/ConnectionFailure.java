/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Why a node could not be reached, in one sentence that says what to do. */
final class ConnectionFailure {
  private final String node;
  private final Optional<String> username;
  private final boolean tls;

  /**
   * @param node host and port as the user named them
   * @param username as whom it was tried
   * @param tls whether it was tried with TLS
   */
  ConnectionFailure(String node, Optional<String> username, boolean tls) {
    this.node = node;
    this.username = username;
    this.tls = tls;
  }

  /** Says it. */
  String sentence(AllNodesFailedException failure) {
    return sentence(failure.getAllErrors().values().stream().flatMap(Collection::stream).toList());
  }

  String sentence(List<? extends Throwable> errors) {
    List<Throwable> causes = errors.stream().flatMap(ConnectionFailure::chain).toList();
    if (any(causes, AuthenticationException.class)) {
      return username
          .map(
              user ->
                  node
                      + " refused the user '"
                      + user
                      + "': no such user, a wrong password, or a role without LOGIN")
          .orElse(node + " wants a user and a password: give --username");
    }
    if (any(causes, NotSslRecordException.class)
        || says(causes, "Unsupported or unrecognized SSL message")) {
      return node + " does not speak TLS: leave out --tls, or name another port";
    }
    if (any(causes, CertPathBuilderException.class)) {
      return node
          + " has a certificate that nobody signed who is trusted here: name the authority's with"
          + " --tls-ca";
    }
    if (any(causes, CertificateException.class)
        && (says(causes, "No subject alternative") || says(causes, "No name matching"))) {
      return node
          + " has a certificate of another name: connect by a name or an address that is in it, or,"
          + " if you know that host, give --tls-any-name";
    }
    if (any(causes, SSLException.class)) {
      return node
          + " and this command do not agree on TLS ("
          + message(causes, SSLException.class)
          + "): it may want a certificate of yours, see --tls-cert and --tls-keystore";
    }
    if (any(causes, ConnectTimeoutException.class) || any(causes, NoRouteToHostException.class)) {
      return node + " does not answer: the host is down, or a firewall is between";
    }
    if (any(causes, ConnectException.class)) {
      return "nothing listens on "
          + node
          + ": the node is down or still starts, or CQL is on another address or port"
          + " (rpc_address and native_transport_port in cassandra.yaml). Of nodes that 'kasane up'"
          + " started, 'kasane status' tells";
    }
    if (any(causes, ClosedConnectionException.class) || any(causes, ClosedChannelException.class)) {
      return tls
          ? node + " closed the connection: it may want a certificate of yours, see --tls-cert"
          : node + " closed the connection without an answer: it may speak TLS only, give --tls";
    }
    return node
        + " cannot be asked: "
        + errors.stream().map(String::valueOf).findFirst().orElse("no reason is known");
  }

  private static Stream<Throwable> chain(Throwable error) {
    return Stream.concat(
        Stream.iterate(error, next -> next != null, Throwable::getCause).limit(20),
        Stream.of(error.getSuppressed()));
  }

  private static boolean any(List<Throwable> causes, Class<? extends Throwable> type) {
    return causes.stream().anyMatch(type::isInstance);
  }

  private static boolean says(List<Throwable> causes, String words) {
    return causes.stream().anyMatch(cause -> String.valueOf(cause.getMessage()).contains(words));
  }

  private static String message(List<Throwable> causes, Class<? extends Throwable> type) {
    return causes.stream()
        .filter(type::isInstance)
        .map(cause -> String.valueOf(cause.getMessage()))
        .findFirst()
        .orElse("");
  }
}
