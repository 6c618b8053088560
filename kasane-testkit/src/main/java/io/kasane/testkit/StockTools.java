/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.testkit;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Cassandra's own tools, as an operator would run them, in processes that stay: of two seconds that
 * a tool takes, all but a few milliseconds are Java's start. What runs at the same time has
 * processes of its own. Thread-safe.
 */
public final class StockTools {
  static final String NODETOOL = "nodetool";
  private static final String SSTABLEDUMP = "sstabledump";

  private static final Map<String, Queue<StockTools>> IDLE = new ConcurrentHashMap<>();

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

  /** What sstabledump prints; fails where the tool fails. */
  public static String sstabledump(LocalNode node, String... arguments) {
    return run(SSTABLEDUMP, node, List.of(arguments));
  }

  private static String run(String tool, LocalNode node, List<String> arguments) {
    Queue<StockTools> idle = IDLE.computeIfAbsent(tool, name -> new ConcurrentLinkedQueue<>());
    try {
      StockTools waiting = idle.poll();
      StockTools runs = waiting == null ? start(tool, node) : waiting;
      Answer answer = runs.run(arguments);
      idle.add(runs);
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

  /** With the configuration of the first node that it is used for, of which tools need nothing. */
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
