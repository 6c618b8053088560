/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaKindsTest {
  @TempDir private Path dir;

  private NodeSettings node(String kinds, int index) {
    NodeSettings.Builder settings = NodeSettings.builder(dir.resolve("node" + index));
    settings.place(index, 6);
    ReplicaKinds.parse(kinds).apply(index, settings);
    return settings.build();
  }

  @Test
  void kindsTakeTurnsAlongTheRing() {
    List<String> racks =
        List.of(1, 2, 3, 4, 5, 6).stream()
            .map(index -> node("lsm:5, lmdb, redis", index).rack().orElseThrow().name())
            .toList();
    assertThat(racks).containsExactly("lsm", "lmdb", "redis", "lsm", "lmdb", "redis");
  }

  @Test
  void aKindIsARackAnEngineAndASeverityThatAllKnow() {
    NodeSettings redis = node("lsm:5,lmdb,redis", 3);
    assertThat(redis.yaml().get("memtable").toString()).contains("redis=", "engine=redis");
    assertThat(redis.kasaneYaml()).containsEntry("kinds", Map.of("lsm", 5.0));
    assertThat(node("lsm,lmdb", 1).kasaneYaml()).doesNotContainKey("kinds");
  }

  @Test
  void theSnitchReadsTheRackFromTheNodesOwnFile() throws Exception {
    NodeSettings settings = node("lsm,lmdb", 2);
    Path lib = Files.createDirectories(dir.resolve("lib/cassandra"));
    Files.createFile(lib.resolve("jamm-0.jar"));
    Files.createDirectories(dir.resolve("lib/kasane"));
    Files.createFile(dir.resolve("lib/kasane/kasane-host-0.jar"));
    new NodeFiles(new Distribution(dir), settings).write();
    Path file = settings.dir().resolve("conf/cassandra-rackdc.properties");
    assertThat(Files.readString(file)).isEqualTo("dc=datacenter1\nrack=lmdb\n");
    assertThat(CassandraYaml.cassandraSettings(settings))
        .containsEntry("endpoint_snitch", "GossipingPropertyFileSnitch");
    assertThat(Files.readString(settings.dir().resolve("conf/jvm.options")))
        .contains("-Dcassandra-rackdc.properties=" + file.toUri());
  }

  @Test
  void severalOfOneEngineAreDifferentRacks() {
    assertThat(node("lmdb,lmdb,lsm", 1).rack()).contains(Rack.of("lmdb"));
    assertThat(node("lmdb,lmdb,lsm", 2).rack()).contains(Rack.of("lmdb2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lsm,", "lsm:x", "lsm:-1", "lsm:100", "lsm:1:2", "mysql"})
  void whatIsNoKindIsRefused(String kinds) {
    assertThatThrownBy(() -> ReplicaKinds.parse(kinds))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("'");
  }
}
