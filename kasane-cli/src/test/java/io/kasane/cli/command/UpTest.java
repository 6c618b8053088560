/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.cli.Kasane;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code kasane up} where some nodes run: what stands for them are processes that only wait. */
class UpTest {
  @TempDir private Path dir;

  private final StringWriter said = new StringWriter();
  private final List<Process> running = new ArrayList<>();
  private LocalCluster cluster;

  @BeforeEach
  void recordThreeNodesThatCannotStart() throws IOException {
    Path dist = dir.resolve("dist");
    for (String jar :
        List.of(
            "cassandra/cassandra-all-5.0.9.jar",
            "cassandra/jamm-0.4.0.jar",
            "kasane/kasane-host-1.jar")) {
      Path file = dist.resolve("lib").resolve(jar);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
    System.setProperty("kasane.home", dist.toString());
    cluster =
        LocalCluster.builder(new Distribution(dist), dir.resolve("cluster"))
            .nodes(3)
            .isolated()
            .build();
    assertThatThrownBy(cluster::start).hasMessageContaining("Node 1 ended before it was ready");
  }

  @AfterEach
  void end() {
    running.forEach(Process::destroyForcibly);
    System.clearProperty("kasane.home");
    cluster.close();
  }

  private void run(int node) throws IOException {
    Path home = cluster.node(node).settings().dir();
    Process process =
        new ProcessBuilder(
                Distribution.javaLauncher().toString(),
                "-Dkasane.node.dir=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                Sleeper.class.getName())
            .start();
    running.add(process);
    assertThat(process.getInputStream().read()).isEqualTo('.');
    Files.createDirectories(home);
    Files.writeString(home.resolve("node.pid"), process.pid() + "\n");
  }

  private int up(String... options) {
    return upIn(cluster.dir(), options);
  }

  private int upIn(Path dir, String... options) {
    List<String> arguments = new ArrayList<>(List.of("up", "--dir", dir.toString()));
    arguments.addAll(List.of(options));
    CommandLine commandLine = Kasane.commandLine();
    PrintWriter out = new PrintWriter(said, true);
    commandLine.setOut(out).setErr(out);
    return commandLine.execute(arguments.toArray(String[]::new));
  }

  @Test
  void shouldStartWhatDoesNotRunAndLeaveTheOthersAlone() throws IOException {
    run(1);
    run(3);

    assertThat(up()).isEqualTo(1);

    assertThat(said.toString())
        .contains("Starting 1 node in", "Node 2 ended before it was ready")
        .doesNotContain("Node 1", "Node 3");
    assertThat(running).allMatch(Process::isAlive);
  }

  @Test
  void shouldDoNothingWhereAllRun() throws IOException {
    for (int node = 1; node <= 3; node++) {
      run(node);
    }

    assertThat(up()).isZero();

    assertThat(said.toString()).contains("run already", "kasane status");
    assertThat(running).allMatch(Process::isAlive);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--kinds lsm,lmdb --engine redis", "--kinds lsm,lmdb --stock", "--kinds lsm,lmdb"})
  void shouldNotMakeKindsOfWhatIsThere(String options) {
    assertThat(up(options.split(" ", -1))).isEqualTo(1);
    assertThat(said.toString())
        .containsAnyOf("leave --engine and --stock out", "a node's rack stays what it was");
  }

  @Test
  void shouldRefuseKindsThatDoNotSpreadEvenly(@TempDir Path empty) {
    assertThat(upIn(empty, "--kinds", "lsm,lmdb", "--nodes", "3")).isEqualTo(1);
    assertThat(said.toString()).contains("--nodes 3", "no multiple of 2");
    assertThat(upIn(empty, "--kinds", "mysql")).isEqualTo(1);
    assertThat(said.toString()).contains("'mysql' is none of");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1g", "1GiB", "1024m", "1024MiB"})
  void shouldTakeAHeapInEitherForm(String heap) throws IOException {
    for (int node = 1; node <= 3; node++) {
      run(node);
    }

    assertThat(up("--heap", heap)).as("%s, which they run with", heap).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"512m", "512MiB", "1g", "1GiB"})
  void shouldTakeAQuotaInEitherForm(String quota) {
    assertThat(up("--fast-quota", quota)).isEqualTo(1);

    assertThat(said.toString()).contains("Node 1 ended before it was ready");
    LocalCluster kept = LocalCluster.open(Distribution.locate(), cluster.dir()).orElseThrow();
    assertThat(kept.node(1).settings().fastQuota()).contains(ByteSize.parse(quota));
  }

  @Test
  void shouldRefuseOtherSettingsThanThoseThatRun() throws IOException {
    run(2);

    for (String[] options : List.of(new String[] {"--heap", "2g"}, new String[] {"--stock"})) {
      assertThat(up(options)).isEqualTo(1);
    }

    assertThat(said.toString()).contains("Node 2", "runs with other options", "kasane down");
    assertThat(running).allMatch(Process::isAlive);
  }

  /** What stands for a node. */
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
