/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.server.OwnServer;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Redis server of this process alone. Thread-safe. */
final class RedisServer implements RespServer {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final EngineOptions options;
  private final long maxMemoryBytes;
  private final OwnServer server;
  private volatile boolean closed;

  /**
   * A server that does not run yet.
   *
   * @param maxMemoryBytes what its data may take
   */
  RedisServer(Path executable, EngineOptions options, long maxMemoryBytes) throws IOException {
    this.options = options;
    this.maxMemoryBytes = maxMemoryBytes;
    this.server = new OwnServer("redis", executable, options.directory(), this::prepare);
  }

  /** Starts it if it does not run. */
  @Override
  public RespConnection connect(Duration maxCall, Duration maxStart) {
    if (closed) {
      throw new EngineException(Kind.CLOSED, this + " is closed");
    }
    try {
      long deadline = System.nanoTime() + maxStart.toNanos();
      RespConnection connection = connectOnce(server.running(), maxCall);
      try {
        awaitLoaded(connection, deadline);
        return connection;
      } catch (IOException | InterruptedException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineException(Kind.UNREACHABLE, this + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, this + ": interrupted while it was started", e);
    }
  }

  @Override
  public int starts() {
    return server.starts();
  }

  /** Nobody else reaches it, and it was started as it has to be. */
  @Override
  public void requireOwn(RespConnection connection) {}

  private List<String> prepare(Path socket) throws IOException {
    Path configuration = server.directory().resolve("redis.conf");
    Files.writeString(configuration, configuration(socket));
    return List.of(configuration.toString());
  }

  private String configuration(Path socket) {
    return String.join(
        "\n",
        "# Written by Kasane at each start.",
        "port 0",
        "unixsocket " + quoted(socket),
        "unixsocketperm 700",
        "dir " + quoted(server.directory()),
        "logfile " + quoted(server.directory().resolve("redis.log")),
        "daemonize no",
        "databases 1",
        "save \"\"",
        "appendonly yes",
        "appendfsync " + (options.durability() == Durability.SYNC ? "always" : "everysec"),
        // It would be rewritten where there is no room for it: see AppendOnlyFile.
        "auto-aof-rewrite-percentage 0",
        "aof-load-truncated yes",
        "maxmemory " + maxMemoryBytes,
        "maxmemory-policy noeviction",
        "proto-max-bulk-len 1gb",
        "");
  }

  private static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static RespConnection connectOnce(Path socket, Duration maxCall)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + maxCall.toNanos();
    while (true) {
      try {
        return RespConnection.open(socket, maxCall);
      } catch (IOException e) { // it does not listen yet
        if (System.nanoTime() > deadline) {
          throw new IOException("it does not listen: see redis.log there", e);
        }
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  /** What it holds is read into memory first. */
  private static void awaitLoaded(RespConnection connection, long deadlineNanos)
      throws IOException, InterruptedException {
    while (connection.call(RedisWords.of("PING")) instanceof RespConnection.Refusal refusal) {
      if (!refusal.message().startsWith("LOADING")) {
        throw new IOException(refusal.message());
      }
      if (System.nanoTime() > deadlineNanos) {
        throw new IOException("it reads what it holds into memory, and does not answer yet");
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, this + ": " + e, e);
    }
  }

  @Override
  public String toString() {
    return "Redis in " + server.directory();
  }
}
