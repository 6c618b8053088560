/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What a node finds in its files. */
class ConfigurationTest {
  @TempDir private Path dir;

  private Distribution distribution;

  @BeforeEach
  void pretendADistribution() throws IOException {
    distribution = new Distribution(dir.resolve("dist"));
    for (String jar : List.of("cassandra/jamm-0.4.0.jar", "kasane/kasane-host-1.jar")) {
      Path file = dir.resolve("dist/lib").resolve(jar);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }
  }

  private NodeSettings.Builder node() {
    return NodeSettings.builder(dir.resolve("node1"));
  }

  @Test
  void shouldListSlowFirst() {
    NodeSettings settings = node().fast(dir.resolve("ssd")).slow(dir.resolve("hdd")).build();

    Map<String, Object> yaml = new Yaml().load(CassandraYaml.cassandra(settings));

    assertThat(yaml.get("data_file_directories"))
        .isEqualTo(List.of(dir.resolve("hdd").toString(), dir.resolve("ssd").toString()));
  }

  @Test
  void shouldNameFastAndQuotaToKasane() {
    NodeSettings settings = node().fastQuota(ByteSize.parse("20MiB")).build();

    Map<String, Object> yaml = new Yaml().load(CassandraYaml.kasane(settings));

    assertThat(yaml)
        .containsOnly(
            Map.entry("fast_directories", List.of(settings.fast().toString())),
            Map.entry("fast_quota", "20MiB"));
    assertThat(CassandraYaml.kasane(node().build())).doesNotContain("fast_quota");
  }

  @Test
  void shouldNotNameAFastDirectoryThatCassandraDoesWithout() {
    String slow = dir.resolve("hdd").toString();
    NodeSettings settings = node().yaml("data_file_directories", List.of(slow)).build();

    assertThat(CassandraYaml.kasane(settings)).isEmpty();
    NodeSettings more = settings.toBuilder().kasaneYaml("show_keys", true).build();
    assertThat(CassandraYaml.kasane(more)).isEqualTo("show_keys: true\n");
  }

  @Test
  void shouldLetSettingsOverrideAndRemove() {
    NodeSettings settings = node().syncEveryWrite().yaml("num_tokens", 4).build();

    Map<String, Object> yaml = CassandraYaml.cassandraSettings(settings);

    assertThat(yaml)
        .containsEntry("commitlog_sync", "batch")
        .containsEntry("num_tokens", 4)
        .doesNotContainKey("commitlog_sync_period");
  }

  @Test
  void shouldCutTheRingEvenly() {
    assertThat(CassandraYaml.evenToken(1, 1)).isEqualTo("-9223372036854775807");
    assertThat(CassandraYaml.evenToken(2, 2)).isEqualTo("0");
    assertThat(CassandraYaml.evenToken(2, 4)).isEqualTo("-4611686018427387904");
    assertThat(CassandraYaml.evenToken(4, 4)).isEqualTo("4611686018427387904");
  }

  @Test
  void shouldLoadTheHookOnlyWithKasane() {
    Path conf = dir.resolve("conf");

    List<String> with = JvmOptions.node(distribution, node().build(), conf);
    List<String> without =
        JvmOptions.node(distribution, node().withKasane(false).jvmFlag("-Dx=y").build(), conf);

    assertThat(with)
        .contains(
            "-Dcassandra.storage_hook=io.kasane.host.KasaneStorageHook",
            "-Dkasane.config=" + conf.resolve("kasane.yaml"));
    assertThat(with.get(with.size() - 1)).contains("lib/kasane/*", "lib/cassandra/*");
    assertThat(without).contains("-Dx=y").noneMatch(flag -> flag.contains("kasane/*"));
    assertThat(without).noneMatch(flag -> flag.startsWith("-Dcassandra.storage_hook"));
  }

  @Test
  void shouldGiveAllNodesTheFlagsOfTheProperty() {
    System.setProperty("kasane.node.flags", "-Dall=1  -Dnodes=2");
    try {
      assertThat(JvmOptions.node(distribution, node().jvmFlag("-Dall=3").build(), dir))
          .containsSubsequence("-Dall=1", "-Dnodes=2", "-Dall=3")
          .doesNotContain("");
    } finally {
      System.clearProperty("kasane.node.flags");
    }
  }

  @Test
  void shouldQuoteLauncherArguments() {
    assertThat(JvmOptions.argumentFile(List.of("-Da=b c", "-Dq=\"\\")))
        .isEqualTo("\"-Da=b c\"\n\"-Dq=\\\"\\\\\"\n");
  }

  @Test
  void shouldWriteAndForgetKasanesFile() {
    Path kasane = dir.resolve("node1/conf/kasane.yaml");

    new NodeFiles(distribution, node().build()).write();
    assertThat(kasane).exists();
    assertThat(dir.resolve("node1/conf/logback.xml")).isNotEmptyFile();
    new NodeFiles(distribution, node().withKasane(false).build()).write();
    assertThat(kasane).doesNotExist();
  }

  @Test
  void shouldFindAgainWhatAClusterWasStartedWith() {
    LocalCluster cluster =
        LocalCluster.builder(distribution, dir)
            .nodes(3)
            .fast(dir.resolve("f"))
            .slow(dir.resolve("s"))
            .each(settings -> settings.fastQuota(ByteSize.parse("1GiB")).syncEveryWrite())
            .each(
                settings ->
                    settings.jvmFlag("-Da=b").kasaneYaml("heat_memory", "1GiB").withKasane(false))
            .build();
    List<NodeSettings> settings = cluster.nodes().stream().map(LocalNode::settings).toList();
    assertThat(settings.get(2).fast()).isEqualTo(dir.resolve("f/node3"));
    assertThat(settings).extracting(NodeSettings::jmxPort).containsExactly(7199, 7200, 7201);

    ClusterFile.write(dir, settings);

    assertThat(ClusterFile.read(dir)).hasValue(settings);
    assertThat(ClusterFile.read(dir.resolve("elsewhere"))).isEmpty();
  }

  @Test
  void shouldRefuseAClusterFileItCannotRead() throws IOException {
    Files.writeString(dir.resolve("cluster.yaml"), "nodes: 3\n");

    assertThatThrownBy(() -> ClusterFile.read(dir))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("cluster.yaml")
        .hasMessageContaining("delete the file");
  }

  @Test
  void shouldNameTheSettingTheValueAndTheBound() {
    assertThatThrownBy(() -> node().place(1, 0).build()).hasMessageContaining("nodes: 0");
    assertThatThrownBy(() -> node().place(4, 3).build()).hasMessageContaining("4 is outside 1..3");
    assertThatThrownBy(() -> node().heap("lots").build()).hasMessageContaining("heap: 'lots'");
    assertThatThrownBy(() -> node().network("10.0.0").build())
        .hasMessageContaining("network: '10.0.0'");
  }
}
