/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import io.kasane.arena.ArenaToken;
import io.kasane.rdma.ucx.UcxSupport;
import io.kasane.rdma.wire.Service;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The process beside a node. */
@Command(
    name = "kasane-rdma",
    mixinStandardHelpOptions = true,
    description = "Serves a node's arenas to clients on other hosts, until it is ended.")
public final class RdmaMain implements Callable<Integer> {
  private static final int MAX_PORT = 0xFFFF;

  @Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--arenas",
      required = true,
      paramLabel = "DIR",
      description = "What arenas.directory of the node's kasane.yaml is.")
  private Path directory;

  @Option(
      names = "--listen",
      required = true,
      paramLabel = "HOST:PORT",
      description = "An address of this host, as arenas.server of kasane.yaml tells it to clients.")
  private String address;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "1000",
      description = "More clients are turned away (default: ${DEFAULT-VALUE}).")
  private int maxConnections;

  @Option(
      names = "--keystore",
      paramLabel = "FILE",
      description =
          "Speak TLS with the key and certificates of this PKCS12 or JKS file (default: no TLS).")
  private Path keyStore;

  @Option(
      names = "--keystore-password-file",
      paramLabel = "FILE",
      description = "The key store's password is the first line of this file.")
  private Path passwordFile;

  @Option(
      names = "--ucx",
      description =
          "Answer by OpenUCX, too, whom it is asked for: needs jucx 1.18.1 on the class path, libucp on"
              + " -Djava.library.path, and UCX_HANDLE_ERRORS=none in the environment.")
  private boolean hasUcx;

  @Option(
      names = "--memory",
      description =
          "All that --ucx does, and clients read arenas out of this process's memory: whoever has a"
              + " token for it, or reaches OpenUCX's port over TCP, can write there, too.")
  private boolean hasMemory;

  /** Runs it. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new RdmaMain()).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!Files.isReadable(directory)) {
      throw bad("--arenas: " + directory + " cannot be read by this user: start it as the node's");
    }
    Service offered = hasMemory ? Service.MEMORY : hasUcx ? Service.MESSAGES : Service.TCP;
    if (offered.isByUcx()) {
      (hasMemory ? UcxSupport.whyNotMemory() : UcxSupport.whyNot())
          .ifPresent(
              why -> {
                throw bad((hasMemory ? "--memory: " : "--ucx: ") + why);
              });
    }
    try (ArenaServer server =
        new ArenaServer(
            new ServerSocket(),
            listenAddress(),
            tls(),
            offered,
            directory,
            directory.resolve(ArenaToken.KEY_FILE),
            Clock.systemUTC(),
            maxConnections)) {
      System.out.println("kasane-rdma: arenas of " + directory + " on port " + server.port());
      new CountDownLatch(1).await();
      return 0;
    } catch (IOException e) {
      throw bad("--listen: " + address + ": " + e.getMessage());
    }
  }

  private Optional<ServerTls> tls() {
    if ((keyStore == null) != (passwordFile == null)) {
      throw bad("--keystore and --keystore-password-file: give both, or none of them");
    }
    try {
      return keyStore == null
          ? Optional.empty()
          : Optional.of(ServerTls.of(keyStore, passwordFile));
    } catch (IOException e) {
      throw bad("--keystore: " + e.getMessage());
    }
  }

  private InetSocketAddress listenAddress() {
    int colon = address.lastIndexOf(':');
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      if (colon > 0 && port >= 0 && port <= MAX_PORT) {
        return new InetSocketAddress(address.substring(0, colon), port);
      }
    } catch (NumberFormatException e) {
      // As below.
    }
    throw bad("--listen: '" + address + "' is no HOST:PORT, such as 10.0.0.1:7654");
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
