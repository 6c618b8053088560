/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * Cassandra's own tools, as an operator would run them, in processes that stay: of two seconds that
 * a tool takes, all but a few milliseconds are Java's start. What runs at the same time has
 * processes of its own. Thread-safe.
 */
public final class StockTools {
  static final String NODETOOL = "nodetool";
  private static final String SSTABLEDUMP = "org.apache.cassandra.tools.SSTableExport";
  private static final String SSTABLEMETADATA = "org.apache.cassandra.tools.SSTableMetadataViewer";

  /** Nodes of earlier tests are gone; of a cluster several are asked by turns. */
  private static final int MAX_KEYS = 5;

  private static final Map<Key, Deque<StockTools>> IDLE = new LinkedHashMap<>();

  private final DataOutputStream requests;
  private final DataInputStream answers;

  private StockTools(Process process) {
    this.requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  /** What nodetool prints, run against the node; fails where the tool fails. */
  public static String nodetool(LocalNode node, String... arguments) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(node.settings().jmxPort())));
    all.addAll(List.of(arguments));
    return run(NODETOOL, node, all);
  }

  /** Runs nodetool cleanup, once the node knows that no other one joins, leaves or moves. */
  public static void cleanup(LocalNode node, String keyspace) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsMatching(e -> e.getMessage().contains("membership changes"))
        .untilAsserted(() -> nodetool(node, "cleanup", keyspace));
  }

  /** What sstabledump prints; fails where the tool fails. */
  public static String sstabledump(LocalNode node, String... arguments) {
    return run(SSTABLEDUMP, node, List.of(arguments));
  }

  /** What sstablemetadata prints. */
  public static String sstablemetadata(LocalNode node, String... arguments) {
    return run(SSTABLEMETADATA, node, List.of(arguments));
  }

  private static String run(String tool, LocalNode node, List<String> arguments) {
    Key key =
        new Key(tool, tool.equals(NODETOOL) ? Optional.empty() : Optional.of(node.settings()));
    try {
      StockTools waiting = take(key);
      StockTools runs = waiting == null ? start(tool, node) : waiting;
      Answer answer = runs.run(arguments);
      giveBack(key, runs);
      if (answer.status != 0) {
        throw new NodeException(
            tool
                + " "
                + String.join(" ", arguments)
                + " ended with "
                + answer.status
                + ":\n"
                + answer.printed);
      }
      return answer.printed;
    } catch (IOException e) {
      throw new UncheckedIOException(tool + " " + String.join(" ", arguments), e);
    }
  }

  private static synchronized StockTools take(Key key) {
    Deque<StockTools> idle = IDLE.get(key);
    return idle == null ? null : idle.poll();
  }

  private static synchronized void giveBack(Key key, StockTools running) throws IOException {
    IDLE.computeIfAbsent(key, made -> new ArrayDeque<>()).add(running);
    if (IDLE.size() > MAX_KEYS) {
      Key first = IDLE.keySet().iterator().next();
      for (StockTools old : IDLE.remove(first)) {
        old.requests.close(); // with its input it ends
      }
    }
  }

  /** Which files sstabledump can read goes by the settings of their node. */
  private record Key(String tool, Optional<NodeSettings> settings) {}

  private static StockTools start(String tool, LocalNode node) throws IOException {
    List<String> nodetool = node.nodetoolProcess(List.of()).command();
    int classPath = nodetool.indexOf("-cp") + 1;
    List<String> command = new ArrayList<>(nodetool.subList(0, classPath));
    command.add(nodetool.get(classPath) + File.pathSeparator + ownClasses());
    command.addAll(
        command.size() - 2,
        List.of(
            "-XX:+UseSerialGC",
            "-Djava.security.manager=allow",
            // A notification that was missed is asked for, after 5 minutes by default.
            "-Dcassandra.nodetool.jmx_notification_poll_interval_seconds=1",
            "-Dorg.apache.cassandra.disable_mbean_registration=true"));
    command.addAll(List.of(ToolServer.class.getName(), tool));
    return new StockTools(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  private Answer run(List<String> arguments) throws IOException {
    requests.writeInt(arguments.size());
    for (String argument : arguments) {
      requests.writeUTF(argument);
    }
    requests.flush();
    int status = answers.readInt();
    byte[] printed = answers.readNBytes(answers.readInt());
    return new Answer(status, new String(printed, StandardCharsets.UTF_8));
  }

  private record Answer(int status, String printed) {}

  private static String ownClasses() {
    return ToolServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
