/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Under what circumstances an experiment ran.
 *
 * @param experiment its name
 * @param scale its size
 * @param command what was typed
 * @param revision of the source, {@code -dirty} if it was changed since
 * @param machine processor, cores, memory, system, Java
 * @param disks which, and how fast; null, and left out, if there were none
 * @param began when
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Facts(
    String experiment,
    String scale,
    String command,
    String revision,
    Map<String, String> machine,
    String disks,
    String began) {

  /** Looks at this machine and this build. */
  public static Facts now(
      String experiment, String scale, String command, Distribution distribution, String disks) {
    return new Facts(
        experiment,
        scale,
        command,
        revision(distribution.home()),
        thisMachine(),
        disks,
        Instant.now().toString());
  }

  /** Returns what was typed to start an experiment. */
  public static String typed(CommandSpec experiment) {
    return "kasane "
        + String.join(
            " ", experiment.commandLine().getParent().getParent().getParseResult().originalArgs());
  }

  private static String revision(Path inside) {
    return output(
        List.of("git", "-C", inside.toString(), "describe", "--always", "--dirty", "--abbrev=12"),
        "unknown (not a git checkout)");
  }

  private static String output(List<String> command, String otherwise) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 && !text.isEmpty() ? text : otherwise;
    } catch (IOException e) {
      return otherwise;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return otherwise;
    }
  }

  private static Map<String, String> thisMachine() {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put("processor", processor());
    machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    machine.put("memory", (system.getTotalMemorySize() >> 20) + " MiB");
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    return machine;
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** Writes the facts as JSON. */
  public void write(Path file) {
    try {
      new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), this);
    } catch (IOException e) {
      throw new NodeException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
