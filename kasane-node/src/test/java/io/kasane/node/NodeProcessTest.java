/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pid files outlive processes, and pids are handed out again. */
class NodeProcessTest {
  @TempDir private Path dir;

  @Test
  void shouldNotTakeAStrangerForANode() throws IOException {
    Path pidFile = Files.writeString(dir.resolve("node.pid"), ProcessHandle.current().pid() + "\n");

    assertThat(NodeProcess.find(dir, pidFile)).isEmpty();
  }

  @Test
  void shouldSurviveMissingAndBrokenPidFiles() throws IOException {
    assertThat(NodeProcess.find(dir, dir.resolve("node.pid"))).isEmpty();
    assertThat(NodeProcess.find(dir, Files.writeString(dir.resolve("p"), "not a pid"))).isEmpty();
    assertThat(NodeProcess.find(dir, Files.writeString(dir.resolve("p"), ""))).isEmpty();
  }

  @Test
  void shouldFindAProcessByItsDirectoryAndStopIt() throws IOException {
    Path node1 = dir.resolve("node1");
    Process process =
        new ProcessBuilder(
                Distribution.javaLauncher().toString(),
                "-Dkasane.node.dir=" + node1,
                "-cp",
                System.getProperty("java.class.path"),
                Sleeper.class.getName())
            .start();
    try {
      // It prints once its arguments are those of a JVM.
      assertThat(process.getInputStream().read()).isEqualTo('.');
      Path pidFile = Files.writeString(dir.resolve("node.pid"), process.pid() + "\n");

      assertThat(NodeProcess.find(dir.resolve("node"), pidFile)).isEmpty();
      ProcessHandle found = NodeProcess.find(node1, pidFile).orElseThrow();
      NodeProcess.stop(found, Duration.ofSeconds(20));

      assertThat(NodeProcess.find(node1, pidFile)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that waits to be stopped. */
  static final class Sleeper {
    private Sleeper() {}

    /** Prints one character and waits. */
    public static void main(String[] args) throws IOException {
      System.out.write('.');
      System.out.flush();
      while (System.in.read() >= 0) {
        // Waits for the end of its input, which comes with the end of the test.
      }
    }
  }
}
