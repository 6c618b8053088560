/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of this process alone, whose files lie in one directory: started when it is needed and
 * not there, killed when this process ends, however it ends. It is meant to listen on a socket in a
 * directory that only this user can open, and on no port. Thread-safe.
 */
public final class OwnServer implements AutoCloseable {
  /** What the path of a socket may have, on any system that Cassandra runs on. */
  private static final int MAX_SOCKET_PATH = 100;

  private static final long MAX_END_SECONDS = 30;
  private static final long MAX_BEGIN_SECONDS = 10;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

  /** Ends the server when its own input ends: that is when the process that started it does. */
  private static final String WATCHER =
      "\"$@\" & server=$!; echo $server >\"$0\"; cat >/dev/null; kill -9 $server;"
          + " wait $server 2>/dev/null";

  /** What a server is started with. */
  @FunctionalInterface
  public interface Arguments {
    /**
     * Writes what it reads when it starts, and returns the arguments of its program.
     *
     * @param socket where it is to listen
     */
    List<String> prepare(Path socket) throws IOException;
  }

  private final String program;
  private final Path executable;

  /** The same without links, as the system tells it of a process. */
  private final Path realExecutable;

  private final Path directory;
  private final Arguments arguments;
  private final AtomicInteger starts = new AtomicInteger();
  private Path socket;
  private Process watcher;
  private boolean closed;

  /**
   * A server that does not run yet.
   *
   * @param program what errors, and the files of its socket and process id, call it
   * @param directory where its files lie; made if it does not exist
   */
  public OwnServer(String program, Path executable, Path directory, Arguments arguments)
      throws IOException {
    this.program = program;
    this.executable = executable;
    this.realExecutable = executable.toRealPath();
    this.directory = Files.createDirectories(directory).toRealPath();
    this.arguments = arguments;
  }

  /** Returns where its files lie, without links. */
  public Path directory() {
    return directory;
  }

  /** Sees to it that it runs, and returns where it listens, or is about to. */
  public synchronized Path running() throws IOException, InterruptedException {
    if (closed) {
      throw new IOException(this + " is closed");
    }
    if (process().isEmpty()) {
      start();
    }
    return socket;
  }

  /** Returns the server itself, a child of the watcher; empty if it does not run. */
  public synchronized Optional<ProcessHandle> process() {
    return watcher == null
        ? Optional.empty()
        : watcher.toHandle().children().filter(this::isServer).findFirst();
  }

  private boolean isServer(ProcessHandle process) {
    return process.info().command().filter(realExecutable.toString()::equals).isPresent();
  }

  private void start() throws IOException, InterruptedException {
    stop();
    endOfDeadOwner();
    socket = newSocket();
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WATCHER));
    command.add(pidFile().toString());
    command.add(executable.toString());
    command.addAll(arguments.prepare(socket));
    watcher =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    starts.incrementAndGet();
    awaitProcess();
  }

  /** Else the next caller would not find it, and start another one. */
  private void awaitProcess() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_BEGIN_SECONDS);
    while (process().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("it does not start: see its log there, and try " + executable);
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  /** Returns how often it was started. */
  public int starts() {
    return starts.get();
  }

  /** In a directory of its own, since not all servers keep others from their sockets. */
  private Path newSocket() throws IOException {
    Path here = directory.resolve("run");
    boolean isShort = here.resolve(socketName()).toString().length() <= MAX_SOCKET_PATH;
    Path only = isShort ? Files.createDirectories(here) : Files.createTempDirectory("kasane");
    Files.setPosixFilePermissions(only, PosixFilePermissions.fromString("rwx------"));
    Path there = only.resolve(socketName());
    if (!isShort) {
      only.toFile().deleteOnExit();
      there.toFile().deleteOnExit();
    }
    Files.deleteIfExists(there);
    return there;
  }

  private String socketName() {
    return program + ".sock";
  }

  private Path pidFile() {
    return directory.resolve(program + ".pid");
  }

  /** One that a killed process left behind is about to be killed, too: its files are ours then. */
  private void endOfDeadOwner() throws IOException, InterruptedException {
    if (!Files.exists(pidFile())) {
      return;
    }
    String pid = Files.readString(pidFile()).strip();
    Optional<ProcessHandle> left =
        pid.matches("[0-9]{1,9}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
    if (left.filter(this::isOfThisDirectory).isPresent()) {
      left.get().destroyForcibly();
      awaitEnd(left.get());
    }
    Files.deleteIfExists(pidFile());
  }

  private boolean isOfThisDirectory(ProcessHandle process) {
    try {
      return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().startsWith(directory);
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

  private void stop() throws IOException, InterruptedException {
    if (watcher != null) {
      watcher.getOutputStream().close();
      watcher.waitFor(); // it has waited for the server
      watcher = null;
    }
  }

  /** Kills it. Closing again does nothing. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return program + " in " + directory;
  }
}
