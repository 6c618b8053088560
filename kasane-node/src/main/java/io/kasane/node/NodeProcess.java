/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node's operating-system process, found again by any later invocation.
 *
 * <p>The pid file alone proves nothing, since the system hands out numbers again: a process counts
 * as ours only if its command line carries the marker with the node's directory.
 */
final class NodeProcess {
  private static final String MARKER = "-Dkasane.node.dir=";
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(20);

  private NodeProcess() {}

  /** Starts a node and leaves its pid behind. */
  static ProcessHandle launch(NodeSettings settings, NodeFiles files) {
    List<String> command = new ArrayList<>();
    // Its own session: closing the terminal or Ctrl-C in it must not take the node down.
    findOnPath("setsid").ifPresent(setsid -> command.add(setsid.toString()));
    command.add(Distribution.javaLauncher().toString());
    command.add(marker(settings.dir()));
    command.add("@" + files.jvmOptions());
    command.add("org.apache.cassandra.service.CassandraDaemon");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(settings.dir().toFile())
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(ProcessBuilder.Redirect.appendTo(files.stdoutLog().toFile()))
              .start();
      Files.writeString(files.pidFile(), process.pid() + "\n");
      return process.toHandle();
    } catch (IOException e) {
      throw new NodeException("Cannot start " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  /** Returns the running process of the node in {@code dir}, if its pid file names one. */
  static Optional<ProcessHandle> find(Path dir, Path pidFile) {
    String text;
    try {
      text = Files.readString(pidFile).strip();
    } catch (IOException e) {
      return Optional.empty();
    }
    if (!text.matches("\\d{1,10}")) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(text))
        .filter(ProcessHandle::isAlive)
        .filter(process -> isOurs(process, dir));
  }

  private static boolean isOurs(ProcessHandle process, Path dir) {
    // Followed by a space, so that node1 is not taken for node10.
    return process
        .info()
        .commandLine()
        .map(line -> (line + " ").contains(marker(dir) + " "))
        .orElse(false);
  }

  /** Sends SIGTERM and waits; kills the process if it has not gone by then. */
  static void stop(ProcessHandle process, Duration timeout) {
    process.destroy();
    if (!gone(process, timeout)) {
      kill9(process);
      throw new NodeException(
          "Process "
              + process.pid()
              + " did not stop within "
              + timeout.toSeconds()
              + " s of SIGTERM and was killed; its commit log is replayed at the next start.");
    }
  }

  /** Sends SIGKILL and waits until the process is gone. */
  static void kill9(ProcessHandle process) {
    process.destroyForcibly();
    if (!gone(process, KILL_TIMEOUT)) {
      throw new NodeException(
          "Process " + process.pid() + " survives SIGKILL: is its disk stuck? See its kernel log.");
    }
  }

  private static boolean gone(ProcessHandle process, Duration timeout) {
    try {
      process.onExit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String marker(Path dir) {
    return MARKER + dir;
  }

  private static Optional<Path> findOnPath(String program) {
    String path = System.getenv("PATH");
    for (String entry : (path == null ? "" : path).split(":", -1)) {
      Path candidate = Path.of(entry.isEmpty() ? "." : entry, program);
      if (Files.isExecutable(candidate)) {
        return Optional.of(candidate.toAbsolutePath());
      }
    }
    return Optional.empty();
  }
}
