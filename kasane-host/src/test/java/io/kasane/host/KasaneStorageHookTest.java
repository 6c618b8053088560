/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hook refuses while it starts, in a process of its own as on a node. */
class KasaneStorageHookTest {
  @TempDir private Path root;

  private String refusal(List<Path> fast, List<Path> data) throws Exception {
    Path config = Files.writeString(root.resolve("kasane.yaml"), "fast_directories: " + fast);
    return said(List.of("-Dkasane.config=" + config), data);
  }

  private String said(List<String> options, List<Path> data) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(
        List.of("-cp", root.resolve("classes") + ":" + System.getProperty("java.class.path")));
    command.addAll(options);
    command.add(Start.class.getName());
    data.forEach(directory -> command.add(directory.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private void putVersion(String version) throws IOException {
    Path file = root.resolve("classes/org/apache/cassandra/config/version.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "CassandraVersion=" + version + "\n");
  }

  @Test
  void anotherLineOfCassandraIsRefused() throws Exception {
    putVersion("5.1.2");
    assertThat(refusal(List.of(), List.of(root)))
        .contains(
            "Kasane refuses to start: this build of Kasane supports Apache Cassandra 5.0.x,"
                + " but the node runs 5.1.2");
  }

  @Test
  void aFastDirectoryBeforeTheSlowOnesIsRefused() throws Exception {
    Path fast = root.resolve("fast");
    Path slow = root.resolve("slow");
    assertThat(refusal(List.of(fast), List.of(fast, slow)))
        .contains("Kasane refuses to start: data_file_directories", "list a slow directory first");
    assertThat(fast).doesNotExist();
  }

  @Test
  void aFileThatIsNotThereIsToldWithItsPlace() throws Exception {
    Path slow = Files.createDirectories(root.resolve("slow"));
    Path conf = Files.createDirectories(root.resolve("classes"));
    Files.createFile(conf.resolve("cassandra.yaml"));
    assertThat(said(List.of(), List.of(slow)))
        .contains("WARN", "There is no kasane.yaml in " + conf, "-Dkasane.config names none")
        .doesNotContain("had fast disks");
  }

  @Test
  void aFileThatIsNotThereIsAnErrorWhereFastDisksWere() throws Exception {
    Path slow = Files.createDirectories(root.resolve("slow"));
    Path fast = root.resolve("fast");
    Files.writeString(slow.resolve(".kasane-fast-disks"), fast + "=some-id\n");
    assertThat(said(List.of(), List.of(slow)))
        .contains("ERROR", "There is no kasane.yaml in", "This node had fast disks when it ran")
        .contains("Kasane refuses to start: fast directory " + fast);
  }

  /** A process that has the data directories of its arguments. */
  static final class Start {
    private Start() {}

    /** Prints why the hook refused to start. */
    public static void main(String[] args) {
      Config config = new Config();
      config.data_file_directories = args;
      DatabaseDescriptor.setConfig(config);
      try {
        var unused = new KasaneStorageHook();
        System.out.println("started with " + Arrays.toString(args));
      } catch (ConfigurationException e) {
        System.out.println(e.getMessage());
      }
      System.exit(0);
    }
  }
}
