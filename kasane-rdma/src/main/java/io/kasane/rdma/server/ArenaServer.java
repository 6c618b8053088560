/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.server;

import io.kasane.arena.ArenaFolder;
import io.kasane.rdma.ucx.UcxServer;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Service;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Serves the arenas of a directory to whoever shows a token of their node. A thread for each
 * connection, which does nothing while nobody asks. Thread-safe.
 */
public final class ArenaServer implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger(ArenaServer.class.getName());

  private final ServerSocket socket;
  private final Optional<ServerTls> tls;
  private final Optional<UcxServer> ucx;
  private final Service offered;
  private final Path directory;
  private final ArenaFolder folder;
  private final Path keyFile;
  private final Clock clock;
  private final int maxConnections;
  private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
  private final Thread accepting = new Thread(this::accept, "kasane-rdma-accept");
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          run -> {
            Thread thread = new Thread(run, "kasane-rdma-look");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Serves from now on.
   *
   * @param socket where clients connect, not yet bound; this server's from now on
   * @param tls to speak to clients, if any
   * @param offered what clients may ask for on a connection
   * @param directory of a node's arenas
   * @param keyFile where the node has the key of its tokens
   * @param clock says when tokens expire
   * @param maxConnections at a time: more are closed at once
   * @throws IOException if it cannot listen there
   */
  public ArenaServer(
      ServerSocket socket,
      InetSocketAddress address,
      Optional<ServerTls> tls,
      Service offered,
      Path directory,
      Path keyFile,
      Clock clock,
      int maxConnections)
      throws IOException {
    this.socket = socket;
    this.offered = offered;
    this.directory = directory;
    this.tls = tls;
    this.keyFile = keyFile;
    this.clock = clock;
    this.maxConnections = maxConnections;
    socket.setReuseAddress(true);
    socket.bind(address);
    this.ucx =
        offered.isByUcx()
            ? Optional.of(new UcxServer(Frames.MAX_REQUEST_BYTES + Integer.BYTES))
            : Optional.empty();
    this.folder = new ArenaFolder(directory);
    accepting.setDaemon(true);
    accepting.start();
    var unused = looks.scheduleWithFixedDelay(this::endOver, 1, 1, TimeUnit.SECONDS);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Returns how many clients are connected. */
  public int connections() {
    return connections.size();
  }

  private void endOver() {
    connections.stream().filter(ServedConnection::isOver).forEach(ServedConnection::close);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        serve(socket.accept());
      } catch (IOException e) {
        if (!socket.isClosed()) {
          LOGGER.log(Level.WARNING, "A connection could not be accepted: {0}", e.toString());
          pause();
        }
      }
    }
  }

  /** As many files may be open as may be: it is no better at once. */
  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Socket client) throws IOException {
    if (connections.size() >= maxConnections) {
      LOGGER.log(
          Level.WARNING,
          "{0} is turned away: {1} connections are open, as many as may be",
          client.getRemoteSocketAddress(),
          maxConnections);
      client.close();
      return;
    }
    ServedConnection connection =
        new ServedConnection(client, tls, offered, ucx, directory, folder, keyFile, clock);
    connections.add(connection);
    Thread thread =
        new Thread(
            () -> {
              try (connection) {
                connection.run();
              } finally {
                connections.remove(connection);
              }
            },
            "kasane-rdma-" + client.getRemoteSocketAddress());
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    connections.forEach(ServedConnection::close);
    looks.shutdownNow();
    ucx.ifPresent(UcxServer::close);
    folder.close();
  }
}
