/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.login;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.Sessions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Which node a command asks, and as whom. What is not said comes from cqlsh's files, so a command
 * reaches what cqlsh reaches.
 */
public final class LoginOptions {
  private static final String LOCAL = "127.0.0.1";

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "A node's name or address (default: cqlsh's, else " + LOCAL + ").")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Its CQL port (default: cqlsh's, else " + NodeSettings.DEFAULT_NATIVE_PORT + ").")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = {"-u", "--username"},
      paramLabel = "NAME",
      description = {
        "As whom (default: as cqlsh's credentials file says). The password comes from",
        "--password-file, " + Secrets.PASSWORD + ", cqlsh's file, or is asked for."
      })
  private Optional<String> username = Optional.empty();

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file with the password and nothing else, which nobody else may read.")
  private Optional<Path> passwordFile = Optional.empty();

  @Option(
      names = "--cqlshrc",
      paramLabel = "FILE",
      description = "cqlsh's settings (default: ~/.cassandra/cqlshrc, if it is there).")
  private Optional<Path> cqlshrc = Optional.empty();

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description = "cqlsh's user and password (default: ~/.cassandra/credentials).")
  private Optional<Path> credentials = Optional.empty();

  @Option(names = "--tls", description = "Speaks TLS, as if one of the following were given.")
  private boolean tls;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Certificates to trust, PEM or a keystore (default: those of Java).")
  private Optional<Path> tlsAuthority = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "This client's certificate, PEM, where nodes ask for one.")
  private Optional<Path> tlsCertificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its key, PEM, PKCS #8 (default: in the same file).")
  private Optional<Path> tlsKey = Optional.empty();

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Both of them in a keystore, PKCS #12 or JKS, instead.")
  private Optional<Path> tlsKeystore = Optional.empty();

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description =
          "The password of keystores and of an encrypted key (default: "
              + Secrets.STORE_PASSWORD
              + ").")
  private Optional<Path> tlsPasswordFile = Optional.empty();

  @Option(
      names = "--tls-any-name",
      description = "Takes a certificate that does not name the host, as cqlsh does.")
  private boolean tlsAnyName;

  private Map<String, String> environment = System.getenv();
  private Path home = Path.of(System.getProperty("user.home"));
  private InetSocketAddress address;

  /** Whether the user named a node. */
  public boolean isHostNamed() {
    return host.isPresent();
  }

  /** For tests, which have a home and an environment of their own. */
  LoginOptions at(Path otherHome, Map<String, String> otherEnvironment) {
    this.home = otherHome;
    this.environment = otherEnvironment;
    return this;
  }

  /** Opens a session with one node alone, for what each node answers for itself. */
  public CqlSession openNode() {
    return open(true);
  }

  /** Opens a session with the data centre of the node. */
  public CqlSession openCluster() {
    return open(false);
  }

  /** The address of the node; to be asked for when a session is open. */
  public String address() {
    return address.getAddress().getHostAddress();
  }

  /** Its CQL port; to be asked for when a session is open. */
  public int port() {
    return address.getPort();
  }

  private CqlSession open(boolean isNodeAlone) {
    CqlshFiles files = CqlshFiles.read(cqlshrc, credentials, home);
    String name = host.or(files::host).orElse(LOCAL);
    address =
        new InetSocketAddress(name, port.or(files::port).orElse(NodeSettings.DEFAULT_NATIVE_PORT));
    String shown = name + ":" + address.getPort();
    if (address.isUnresolved()) {
      throw new NodeException(name + " is no host that this machine knows: correct --host");
    }
    Optional<ClientTls> secured = tls(files, name);
    Optional<String> user = username.or(files::username);
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoint(address)
            .withConfigLoader(
                Sessions.patient()
                    .withString(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                        "DcInferringLoadBalancingPolicy")
                    .build());
    user.ifPresent(it -> builder.withAuthCredentials(it, password(files, it)));
    secured.ifPresent(builder::withSslEngineFactory);
    if (isNodeAlone) {
      builder.withNodeDistanceEvaluator(
          (node, dc) -> address.equals(node.getEndPoint().resolve()) ? null : NodeDistance.IGNORED);
    }
    try {
      return builder.build();
    } catch (AllNodesFailedException e) {
      throw new NodeException(
          new ConnectionFailure(shown, user, secured.isPresent()).sentence(e), e);
    }
  }

  private String password(CqlshFiles files, String user) {
    return new Secrets(environment)
        .find(passwordFile, Secrets.PASSWORD)
        .or(() -> files.passwordOf(user))
        .orElseGet(() -> Secrets.ask(user));
  }

  private Optional<ClientTls> tls(CqlshFiles files, String name) {
    boolean isNamed =
        tlsAuthority.isPresent()
            || tlsCertificate.isPresent()
            || tlsKeystore.isPresent()
            || tlsAnyName;
    if (!tls && !isNamed && !files.tls()) {
      return Optional.empty();
    }
    return Optional.of(
        ClientTls.of(
            new ClientTls.Material(
                tlsAuthority.or(() -> files.tlsAuthority(name, home)),
                tlsCertificate.or(() -> files.tlsCertificate(home)),
                tlsKey.or(() -> files.tlsKey(home)),
                tlsKeystore,
                new Secrets(environment).find(tlsPasswordFile, Secrets.STORE_PASSWORD),
                files.validatesTls() || tls || isNamed,
                !tlsAnyName)));
  }
}
