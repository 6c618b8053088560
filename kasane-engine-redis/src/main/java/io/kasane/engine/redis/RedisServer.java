/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Redis server of this process alone, whose files lie in one directory: started when it is needed
 * and not there, killed when this process ends, however it ends. It listens on a socket that only
 * this user can open, and on no port. Thread-safe.
 */
final class RedisServer implements AutoCloseable {
  private static final String PID_FILE = "redis.pid";

  /** What the path of a socket may have, on any system that Cassandra runs on. */
  private static final int MAX_SOCKET_PATH = 100;

  private static final long MAX_END_SECONDS = 30;
  private static final long MAX_BEGIN_SECONDS = 10;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /** Ends the server when its own input ends: that is when the process that started it does. */
  private static final String WATCHER =
      "\"$0\" \"$1\" & server=$!; cat >/dev/null; kill -9 $server; wait $server 2>/dev/null";

  private final Path executable;

  /** The same without links, as the system tells it of a process. */
  private final Path program;

  private final EngineOptions options;
  private final long maxMemoryBytes;
  private final Path directory;
  private Path socket;
  private Process watcher;
  private final AtomicInteger starts = new AtomicInteger();
  private boolean closed;

  /**
   * A server that does not run yet.
   *
   * @param maxMemoryBytes what its data may take
   */
  RedisServer(Path executable, EngineOptions options, long maxMemoryBytes) throws IOException {
    this.executable = executable;
    this.program = executable.toRealPath();
    this.options = options;
    this.maxMemoryBytes = maxMemoryBytes;
    this.directory = Files.createDirectories(options.directory()).toRealPath();
  }

  /**
   * Connects to it, and starts it if it does not run; waits until it has read what it holds.
   *
   * @throws EngineException if it cannot be started, or does not answer
   */
  RespConnection connect(Duration maxCall) {
    try {
      RespConnection connection = connectOnce(running(), maxCall);
      try {
        awaitLoaded(connection);
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

  /** Sees to it that it runs, and returns where it listens. */
  private synchronized Path running() throws IOException, InterruptedException {
    if (closed) {
      throw new EngineException(Kind.CLOSED, this + " is closed");
    }
    if (server().isEmpty()) {
      start();
    }
    return socket;
  }

  /** The server itself, a child of the watcher. */
  private Optional<ProcessHandle> server() {
    return watcher == null
        ? Optional.empty()
        : watcher.toHandle().children().filter(this::isServer).findFirst();
  }

  private boolean isServer(ProcessHandle process) {
    return process.info().command().filter(program.toString()::equals).isPresent();
  }

  private void start() throws IOException, InterruptedException {
    stop();
    endOfDeadOwner();
    socket = newSocket();
    Path configuration = directory.resolve("redis.conf");
    Files.writeString(configuration, configuration());
    watcher =
        new ProcessBuilder(
                "/bin/sh", "-c", WATCHER, executable.toString(), configuration.toString())
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    starts.incrementAndGet();
    awaitServer();
  }

  /** Else the next caller would not find it, and start another one. */
  private void awaitServer() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_BEGIN_SECONDS);
    while (server().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("it does not start: see redis.log there, and try " + executable);
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos() / 10);
    }
  }

  /** How often it was started. */
  int starts() {
    return starts.get();
  }

  private Path newSocket() throws IOException {
    Path here = directory.resolve("redis.sock");
    if (here.toString().length() <= MAX_SOCKET_PATH) {
      Files.deleteIfExists(here);
      return here;
    }
    Path only =
        Files.createTempDirectory(
            "kasane-redis",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    only.toFile().deleteOnExit();
    Path there = only.resolve("redis.sock");
    there.toFile().deleteOnExit();
    return there;
  }

  private String configuration() {
    return String.join(
        "\n",
        "# Written by Kasane at each start.",
        "port 0",
        "unixsocket " + quoted(socket),
        "unixsocketperm 700",
        "dir " + quoted(directory),
        "pidfile " + quoted(directory.resolve(PID_FILE)),
        "logfile " + quoted(directory.resolve("redis.log")),
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

  /** One that a killed process left behind is about to be killed, too: its files are ours then. */
  private void endOfDeadOwner() throws IOException, InterruptedException {
    Path file = directory.resolve(PID_FILE);
    if (!Files.exists(file)) {
      return;
    }
    String pid = Files.readString(file).strip();
    Optional<ProcessHandle> left =
        pid.matches("[0-9]{1,9}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
    if (left.filter(this::isOfThisDirectory).isPresent()) {
      left.get().destroyForcibly();
      awaitEnd(left.get());
    }
    Files.deleteIfExists(file);
  }

  private boolean isOfThisDirectory(ProcessHandle process) {
    try {
      return Files.isSameFile(Path.of("/proc/" + process.pid() + "/cwd"), directory);
    } catch (IOException e) {
      return false; // it has ended, or is another user's
    }
  }

  private void awaitEnd(ProcessHandle process) throws IOException, InterruptedException {
    try {
      process.onExit().get(MAX_END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("process " + process.pid() + " has its files, and does not end", e);
    }
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

  /** What it holds is read into memory first, however long it takes. */
  private static void awaitLoaded(RespConnection connection)
      throws IOException, InterruptedException {
    while (connection.call(RedisWords.of("PING")) instanceof RespConnection.Refusal refusal) {
      if (!refusal.message().startsWith("LOADING")) {
        throw new IOException(refusal.message());
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  private void stop() throws IOException, InterruptedException {
    if (watcher != null) {
      watcher.getOutputStream().close();
      watcher.waitFor(); // it has waited for the server
      watcher = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      stop();
    } catch (IOException e) {
      throw new EngineException(Kind.FAILED, this + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "Redis in " + directory;
  }
}
