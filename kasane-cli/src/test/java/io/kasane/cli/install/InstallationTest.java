/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
  @TempDir private Path root;
  private Path home;
  private Path conf;
  private Path slow;
  private Path fast;

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectories(root.resolve("cassandra"));
    conf = Files.createDirectories(home.resolve("conf"));
    slow = Files.createDirectories(root.resolve("hdd"));
    fast = root.resolve("nvme");
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/apache-cassandra-5.0.9.jar"), "");
    Files.writeString(
        conf.resolve("cassandra.yaml"),
        "# mine\ndata_file_directories:\n    - " + slow + "\nnum_tokens: 16 # as it was");
    Files.writeString(conf.resolve("jvm-server.options"), "# flags\n-ea");
  }

  private Installation installation() {
    return new Installation(CassandraHome.of(home, Optional.empty()));
  }

  private List<Path> jars(String version) throws IOException {
    Path release = Files.createDirectories(root.resolve("release-" + version));
    return List.of(
        Files.writeString(release.resolve("kasane-host-" + version + ".jar"), "host " + version),
        Files.writeString(release.resolve("rocksdbjni-10.jar"), "rocks"));
  }

  private Plan plan(String version, String quota) throws IOException {
    return installation()
        .install(jars(version), fast, Optional.of(ByteSize.parse(quota)), Optional.empty());
  }

  private Map<String, String> everything() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(home)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(home.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }

  @Test
  void aPlanIsShownAndChangesNothing() throws Exception {
    Map<String, String> before = everything();
    assertThat(plan("1", "200GiB").shown())
        .contains(
            "+    - " + fast,
            "+-Dcassandra.storage_hook=",
            "+fast_directories: [ " + fast + " ]",
            "+fast_quota: 200GiB",
            "+ " + home.resolve("lib/kasane-host-1.jar"),
            " num_tokens: 16 # as it was");
    assertThat(everything()).isEqualTo(before);
    assertThat(fast).doesNotExist();
  }

  @Test
  void twiceIsOnceAndTheWayBackLeavesNothing() throws Exception {
    Map<String, String> before = everything();
    plan("1", "200GiB").run();
    assertThat(plan("1", "200GiB").isDone()).isTrue();
    assertThat(fast).isDirectory();
    assertThat(everything()).containsKeys("lib/kasane-host-1.jar", "lib/rocksdbjni-10.jar");

    installation().uninstall().run();
    assertThat(everything()).isEqualTo(before);
    assertThat(installation().uninstall().isDone()).isTrue();
  }

  @Test
  void olderJarsGo() throws Exception {
    plan("1", "200GiB").run();
    Files.writeString(home.resolve("lib/kasane-tier-0.jar"), "by hand, of old");
    plan("2", "200GiB").run();
    assertThat(everything().keySet())
        .contains(
            "lib/kasane-host-2.jar", "lib/rocksdbjni-10.jar", "lib/apache-cassandra-5.0.9.jar")
        .doesNotContain("lib/kasane-host-1.jar", "lib/kasane-tier-0.jar");
  }

  @Test
  void whoIsInterruptedAnywhereGoesOn() throws Exception {
    Map<String, String> before = everything();
    plan("1", "200GiB").run();
    Map<String, String> wanted = everything();
    installation().uninstall().run();
    int steps = plan("1", "200GiB").steps().size();
    for (int done = 0; done <= steps; done++) {
      for (Step step : plan("1", "200GiB").steps().subList(0, done)) {
        step.run();
      }
      boolean listsFast = everything().get("conf/cassandra.yaml").contains(fast.toString());
      boolean hasHook = everything().get("conf/jvm-server.options").contains("storage_hook");
      assertThat(!listsFast || hasHook).as("after %d steps", done).isTrue();
      plan("1", "200GiB").run();
      assertThat(everything()).isEqualTo(wanted);

      for (Step step : installation().uninstall().steps().subList(0, Math.min(done, 4))) {
        step.run();
      }
      installation().uninstall().run();
      assertThat(everything()).isEqualTo(before);
    }
  }

  @Test
  void anImageWhoseNodeNeverRanIsToldWhereItsDataAreToBe() throws Exception {
    Files.writeString(conf.resolve("cassandra.yaml"), "num_tokens: 16\n");
    Map<String, String> before = everything();
    assertThatThrownBy(() -> plan("1", "200GiB"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("--slow");
    installation().install(jars("1"), fast, Optional.empty(), Optional.of(slow)).run();
    assertThat(everything().get("conf/cassandra.yaml"))
        .endsWith("    - " + slow + "\n    - " + fast + "\n");
    installation().uninstall().run();
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void modesStay() throws Exception {
    Files.setPosixFilePermissions(conf.resolve("cassandra.yaml"), fromString("rw-r-----"));
    Files.setPosixFilePermissions(slow, fromString("rwxr-x---"));
    plan("1", "200GiB").run();
    assertThat(Files.getPosixFilePermissions(conf.resolve("cassandra.yaml")))
        .isEqualTo(fromString("rw-r-----"));
    assertThat(Files.getPosixFilePermissions(conf.resolve("kasane.yaml")))
        .isEqualTo(fromString("rw-r-----"));
    assertThat(Files.getPosixFilePermissions(fast)).isEqualTo(fromString("rwxr-x---"));
  }

  @Test
  void settingsOfOnesOwnAreLeftAlone() throws Exception {
    Files.writeString(conf.resolve("kasane.yaml"), "kinds: {}\n");
    assertThatThrownBy(() -> plan("1", "200GiB"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("by hand")
        .hasMessageContaining("fast_directories: [ " + fast + " ]");
  }

  @Test
  void anotherQuotaIsAnotherLine() throws Exception {
    plan("1", "200GiB").run();
    plan("1", "300GiB").run();
    assertThat(everything().get("conf/kasane.yaml")).contains("fast_quota: 300GiB");
    assertThat(plan("1", "300GiB").isDone()).isTrue();
  }

  @Test
  void anotherLineOfCassandraIsRefused() throws Exception {
    Files.move(
        home.resolve("lib/apache-cassandra-5.0.9.jar"),
        home.resolve("lib/apache-cassandra-4.1.3.jar"));
    assertThatThrownBy(this::installation)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("is Cassandra 4.1.3");
  }

  @Test
  void aJarThatIsThereInAnotherVersionIsNotDoubled() throws Exception {
    Files.writeString(home.resolve("lib/rocksdbjni-9.jar"), "of somebody else");
    assertThatThrownBy(() -> plan("1", "200GiB"))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("rocksdbjni-9.jar");
  }

  @Test
  void rowsOnFastAreNotLeftBehind() throws Exception {
    plan("1", "200GiB").run();
    Path table = Files.createDirectories(fast.resolve("shop/items-1"));
    Path snapshot = Files.createDirectories(table.resolve("snapshots/kept"));
    Files.writeString(snapshot.resolve("nb-1-big-Data.db"), "");
    installation().uninstall();
    Files.writeString(table.resolve("nb-1-big-Data.db"), "");
    assertThatThrownBy(() -> installation().uninstall())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("still holds SSTables")
        .hasMessageContaining("relocatesstables");
  }

  /** As the first start leaves it. */
  private void startOnce() throws IOException {
    Files.writeString(fast.resolve(".kasane-fast-disk"), "some-id");
    Files.writeString(fast.resolve(".kasane-owner"), "node");
    Files.writeString(slow.resolve(".kasane-fast-disks"), fast + "=some-id\n");
    Files.writeString(slow.resolve(".kasane-node"), "node");
  }

  @Test
  void whatTheNodeLeftGoesHoweverOftenItIsInterrupted() throws Exception {
    for (int done = 0; done <= 4; done++) {
      plan("1", "200GiB").run();
      startOnce();
      for (Step step : installation().uninstall().steps().subList(0, done)) {
        step.run();
      }
      installation().uninstall().run();
      assertThat(slow).as("after %d steps", done).isEmptyDirectory();
      assertThat(fast).as("after %d steps", done).isEmptyDirectory();
    }
  }

  @Test
  void aFastDiskThatIsNotMountedIsNotForgotten() throws Exception {
    plan("1", "200GiB").run();
    startOnce();
    Files.delete(fast.resolve(".kasane-fast-disk"));
    assertThatThrownBy(() -> installation().uninstall())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("is it mounted?");
  }

  @Test
  void aFastDiskThatTheSettingsDoNotNameIsNotForgotten() throws Exception {
    plan("1", "200GiB").run();
    startOnce();
    Files.delete(conf.resolve("kasane.yaml"));
    assertThatThrownBy(() -> installation().uninstall())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("remembers the fast directory " + fast);
  }

  @Test
  void anotherFastDirectoryIsNotPutInThePlaceOfOneWithRows() throws Exception {
    plan("1", "200GiB").run();
    assertThatThrownBy(
            () ->
                installation()
                    .install(jars("1"), root.resolve("other"), Optional.empty(), Optional.empty()))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("where rows may lie");
  }

  @Test
  void rowsInStorageEnginesAreNotLeftBehind() throws Exception {
    plan("1", "200GiB").run();
    Path yaml = conf.resolve("cassandra.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + "\nmemtable:\n  configurations:\n    lmdb:\n      class_name:"
            + " io.kasane.engine.memtable.EngineMemtable\n");
    assertThatThrownBy(() -> installation().uninstall())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("storage engines");
  }

  @Test
  void filesOfOthersInTheHeatDirectoryStay() throws Exception {
    Path shared = Files.createDirectories(root.resolve("shared"));
    Path others = Files.writeString(shared.resolve("precious.db"), "of others");
    Path heat = Files.writeString(shared.resolve("shop.items-1.heat"), "heat");
    plan("1", "200GiB").run();
    Path yaml = conf.resolve("kasane.yaml");
    Files.writeString(yaml, Files.readString(yaml) + "heat_directory: " + shared + "\n");
    installation().uninstall().run();
    assertThat(others).exists();
    assertThat(heat).doesNotExist();
  }

  @Test
  void aNodeThatRunsIsLeftAlone() throws Exception {
    plan("1", "200GiB").run();
    Path lock = Files.writeString(fast.resolve(".kasane-lock"), "");
    try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      assertThat(held.isValid()).isTrue();
      assertThatThrownBy(() -> installation().uninstall())
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("the node runs");
    }
  }
}
