/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kasane.cli.doctor.Finding.Level;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.node.views.KnownHeat;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  private static final List<String> ROOMY =
      List.of(
          "Limit                     Soft Limit           Hard Limit           Units",
          "Max open files            1048576              1048576              files",
          "Max locked memory         unlimited            unlimited            bytes");

  @TempDir private Path dir;

  private static List<Finding> machine(int java, String... limits) {
    return new MachineChecks(java, List.of(limits)).run();
  }

  @Test
  void shouldFindNothingWrongWithARoomyMachine() {
    assertThat(new MachineChecks(17, ROOMY).run())
        .extracting(Finding::level)
        .containsOnly(Level.OK);
  }

  @Test
  void shouldRefuseAnotherJava() {
    assertThat(machine(21).get(0).level()).isEqualTo(Level.FAIL);
    assertThat(machine(21).get(0).text()).contains("21", "17", "JAVA_HOME");
  }

  @Test
  void shouldWeighLimits() {
    assertThat(machine(17, "Max open files  1024  4096  files", "Max locked memory  65536  65536"))
        .extracting(Finding::level, Finding::subject)
        .containsExactly(
            tuple(Level.OK, "Java"),
            tuple(Level.FAIL, "open files"),
            tuple(Level.WARN, "locked memory"));
    assertThat(machine(17, "Max open files  20000  20000  files").get(1).level())
        .isEqualTo(Level.WARN);
  }

  @Test
  void shouldSayWhichTablesAskNodesThatReadsAvoid() {
    List<Finding> findings =
        KindChecks.of(
            Map.of("k.always", "ALWAYS", "k.half", "50p", "k.few", "99p", "k.none", "NONE"));
    assertThat(findings).extracting(Finding::level).containsOnly(Level.WARN);
    assertThat(findings)
        .extracting(Finding::text)
        .hasSize(2)
        .anyMatch(text -> text.contains("k.always is ALWAYS"))
        .anyMatch(text -> text.contains("k.half is 50p") && text.contains("'99p'"));
    assertThat(KindChecks.of(Map.of("k.t", "99PERCENTILE", "k.u", "10ms")))
        .extracting(Finding::level)
        .containsExactly(Level.OK);
  }

  @Test
  void shouldSayOfWhichTablesTooLittleHeatIsKnown() {
    assertThat(HeatChecks.of(List.of(new KnownHeat("k.t", 1))))
        .extracting(Finding::level)
        .containsExactly(Level.OK);
    List<Finding> findings =
        HeatChecks.of(List.of(new KnownHeat("k.t", 1), new KnownHeat("k.u", 0.4)));
    assertThat(findings).extracting(Finding::level).containsExactly(Level.WARN);
    assertThat(findings.get(0).text()).contains("k.u", "40 %", "heat_memory", "2.5 times");
  }

  @Test
  void shouldWarnOfOneDiskAndAcceptDirectoriesToCome() {
    List<Finding> findings = new DirectoryChecks(dir.resolve("a/fast"), dir.resolve("slow")).run();

    assertThat(findings)
        .anySatisfy(
            finding -> {
              assertThat(finding.subject()).isEqualTo("two disks");
              assertThat(finding.level()).isEqualTo(Level.WARN);
            })
        .filteredOn(finding -> finding.subject().endsWith("directory"))
        .extracting(Finding::level)
        .containsOnly(Level.OK);
    assertThat(dir).as("probes are cleaned up").isEmptyDirectory();
  }

  @Test
  void shouldRefuseAFileInPlaceOfADirectory() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));

    List<Finding> findings = new DirectoryChecks(file, dir).run();

    assertThat(findings.get(0).level()).isEqualTo(Level.FAIL);
    assertThat(findings.get(0).text()).contains(file.toString());
  }

  @Test
  void shouldLookWhereEnginesWillLie() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    LocalNode none =
        LocalCluster.builder(new Distribution(dir), dir.resolve("cluster"))
            .isolated()
            .build()
            .node(1);
    LocalNode lmdb = none.with(settings -> settings.engine("lmdb"));
    LocalNode elsewhere =
        lmdb.with(settings -> settings.kasaneYaml("engine_directory", file.toString()));

    assertThat(Doctor.examine(none))
        .extracting(Finding::subject)
        .doesNotContain("engine directory", "engine space");
    assertThat(lmdb.settings().engineDirectory())
        .isEqualTo(lmdb.settings().dir().resolve("engines"));
    assertThat(Doctor.examine(elsewhere))
        .filteredOn(finding -> finding.subject().equals("engine directory"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.FAIL);
              assertThat(finding.text()).contains(file.toString());
            });
  }

  @Test
  void shouldNameThePortAnotherProcessHolds() throws Exception {
    LocalNode node =
        LocalCluster.builder(new Distribution(dir), dir.resolve("cluster"))
            .isolated()
            .build()
            .node(1);
    NodeSettings settings = node.settings();

    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(settings.address(), settings.nativePort()));

      assertThat(Doctor.examine(node))
          .filteredOn(finding -> finding.level() == Level.FAIL)
          .singleElement()
          .satisfies(
              finding ->
                  assertThat(finding.text())
                      .contains(settings.address() + ":9042 (CQL)", "kasane down"));
    }
  }
}
