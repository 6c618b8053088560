/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One real Cassandra node in a process of its own, on the loopback network.
 *
 * <p>Whether the node runs is asked of the system each time, so two objects (or two processes) may
 * speak of the same node. Stop and start it as often as wanted; its directories stay.
 */
public final class LocalNode {
  /** Long enough for a cold boot on a busy machine. */
  public static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int TROUBLE_LINES = 8;

  private final Distribution distribution;
  private final NodeSettings settings;
  private final NodeFiles files;

  /** The process this object started: found even if someone deletes the directory under it. */
  private volatile ProcessHandle started;

  /** Describes a node; nothing is started or written yet. */
  public LocalNode(Distribution distribution, NodeSettings settings) {
    this.distribution = distribution;
    this.settings = settings;
    this.files = new NodeFiles(distribution, settings);
  }

  /** Returns what the node is started with. */
  public NodeSettings settings() {
    return settings;
  }

  /** Returns the same node (same directories) with other settings, for the next start. */
  public LocalNode with(Consumer<NodeSettings.Builder> change) {
    NodeSettings.Builder builder = settings.toBuilder();
    change.accept(builder);
    LocalNode changed = new LocalNode(distribution, builder.build());
    changed.started = started;
    return changed;
  }

  /** Writes the configuration and starts the process, without waiting for it to serve. */
  public LocalNode start() {
    requireStartable();
    files.write();
    started = NodeProcess.launch(settings, files);
    return this;
  }

  /** Fails, in words that say what to do, if the node runs or its ports are taken. */
  void requireStartable() {
    process()
        .ifPresent(
            running -> {
              throw new NodeException(
                  "Node "
                      + settings.index()
                      + " in "
                      + settings.dir()
                      + " already runs as process "
                      + running.pid()
                      + ". Stop it with 'kasane down --dir "
                      + settings.dir().getParent()
                      + "' first.");
            });
    requireFreePorts();
  }

  private void requireFreePorts() {
    List<Ports.Listener> taken = Ports.taken(settings);
    if (!taken.isEmpty()) {
      throw new NodeException(
          "Node "
              + settings.index()
              + " cannot listen on "
              + taken.stream().map(Object::toString).collect(Collectors.joining(", "))
              + ": another process does. If it is a node of another directory, stop it with"
              + " 'kasane down --dir THAT_DIRECTORY'; 'ss -ltnp' names the process otherwise.");
    }
  }

  /** Waits until CQL answers and the node is a full member of its ring. */
  public LocalNode waitUntilReady() {
    return waitUntilReady(READY_TIMEOUT);
  }

  /** Waits until CQL answers and the node is a full member of its ring. */
  public LocalNode waitUntilReady(Duration timeout) {
    Instant deadline = Instant.now().plus(timeout);
    while (!isReady()) {
      if (!isAlive()) {
        throw new NodeException(
            "Node " + settings.index() + " ended before it was ready." + troubleText());
      }
      if (Instant.now().isAfter(deadline)) {
        throw new NodeException(
            "Node "
                + settings.index()
                + " runs but was not ready within "
                + timeout.toSeconds()
                + " s: mode "
                + mode()
                + ", CQL on "
                + settings.address()
                + ":"
                + settings.nativePort()
                + (cqlAnswers() ? " answers." : " does not answer.")
                + troubleText());
      }
      pause();
    }
    return this;
  }

  static void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("Interrupted while waiting for a node", e);
    }
  }

  private String troubleText() {
    List<String> trouble = log().lastTrouble(TROUBLE_LINES);
    String seen =
        trouble.isEmpty()
            ? "No errors in its logs."
            : "Its last errors:\n  " + String.join("\n  ", trouble);
    return "\n" + seen + "\nSee " + log().path() + " and " + log().stdoutPath();
  }

  /** Returns whether the node serves: CQL answers and its mode is NORMAL. */
  public boolean isReady() {
    return cqlAnswers() && mode().equals("NORMAL");
  }

  private boolean cqlAnswers() {
    return CqlProbe.answers(settings.address(), settings.nativePort());
  }

  private String mode() {
    try (NodeJmx jmx = jmx()) {
      return jmx.operationMode();
    } catch (IOException e) {
      return "-";
    }
  }

  /** Sends SIGTERM and waits for an orderly end; does nothing when the node does not run. */
  public void stop() {
    process().ifPresent(process -> NodeProcess.stop(process, STOP_TIMEOUT));
  }

  /** Kills the process as a crash would, and waits until it is gone. */
  public void kill9() {
    process().ifPresent(NodeProcess::kill9);
  }

  /** Returns whether the process runs. */
  public boolean isAlive() {
    return process().isPresent();
  }

  /** Returns the running process. */
  public Optional<ProcessHandle> process() {
    ProcessHandle own = started;
    return own != null && own.isAlive()
        ? Optional.of(own)
        : NodeProcess.find(settings.dir(), files.pidFile());
  }

  /** Returns the node's log. */
  public NodeLog log() {
    return new NodeLog(files.systemLog(), files.stdoutLog());
  }

  /** Connects to the node's management interface. */
  public NodeJmx jmx() throws IOException {
    return NodeJmx.connect(settings.jmxPort());
  }

  /** Opens a driver session with this node as contact point. */
  public CqlSession connect() {
    return Sessions.open(settings.address(), settings.nativePort());
  }

  /** Returns what can be seen of the node from outside. */
  public NodeStatus status() {
    Optional<ProcessHandle> process = process();
    return new NodeStatus(
        settings,
        process.map(ProcessHandle::pid),
        process
            .flatMap(running -> running.info().startInstant())
            .map(started -> Duration.between(started, Instant.now())),
        process.isPresent() ? mode() : "-",
        process.isPresent() && cqlAnswers(),
        DirectoryUse.of(settings.fast()),
        DirectoryUse.of(settings.slow()));
  }

  /** Returns a process, not yet started, that runs stock nodetool against this node. */
  public ProcessBuilder nodetoolProcess(List<String> arguments) {
    Path conf = files.conf();
    List<String> command = new ArrayList<>();
    command.add(Distribution.javaLauncher().toString());
    command.addAll(JvmOptions.tool(distribution, settings, conf));
    command.add("org.apache.cassandra.tools.NodeTool");
    command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(settings.jmxPort())));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** Runs stock nodetool against this node; returns what it printed, fails if it failed. */
  public String nodetool(String... arguments) {
    try {
      Process process = nodetoolProcess(List.of(arguments)).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new NodeException(
            "nodetool " + String.join(" ", arguments) + " ended with " + status + ":\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new NodeException("Cannot run nodetool: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("Interrupted while nodetool ran", e);
    }
  }

  @Override
  public String toString() {
    return "node " + settings.index() + " (" + settings.address() + ", " + settings.dir() + ")";
  }
}
