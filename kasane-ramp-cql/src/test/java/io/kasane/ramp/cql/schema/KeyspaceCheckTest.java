/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.Version;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyspaceCheckTest {
  private static final String LONG = "org.apache.cassandra.locator.";

  @Test
  void readsReplicationAsCassandraWritesIt() {
    KeyspaceFacts two =
        KeyspaceFacts.of(
            "shop",
            Map.of("class", LONG + "NetworkTopologyStrategy", "a", "3", "b", "2", "c", "0"),
            true);
    assertThat(two.strategy()).isEqualTo("NetworkTopologyStrategy");
    assertThat(two.replicas()).isEqualTo(Map.of("a", 3, "b", 2));
    assertThat(two.allReplicas()).isEqualTo(5);
    assertThat(two.hasSeveralDataCentres()).isTrue();

    KeyspaceFacts simple =
        KeyspaceFacts.of(
            "shop", Map.of("class", LONG + "SimpleStrategy", "replication_factor", "3"), true);
    assertThat(simple.replicas()).isEqualTo(Map.of("", 3));
    assertThat(simple.hasSeveralDataCentres()).isFalse();
  }

  @Test
  void refusesWhatForgets() {
    Map<String, String> good = Map.of("class", "NetworkTopologyStrategy", "a", "3");
    assertThatCode(() -> KeyspaceCheck.check(KeyspaceFacts.of("shop", good, true), Set.of("a")))
        .doesNotThrowAnyException();
    refused(KeyspaceFacts.of("shop", good, false), "durable_writes = false");
    refused(
        KeyspaceFacts.of("shop", Map.of("class", "NetworkTopologyStrategy", "a", "3/1"), true),
        "transient replicas");
    refused(
        KeyspaceFacts.of(
            "shop", Map.of("class", "SimpleStrategy", "replication_factor", "3"), true),
        "SimpleStrategy",
        "ALTER KEYSPACE");
    refused(KeyspaceFacts.of("shop", Map.of("class", "LocalStrategy"), true), "LocalStrategy");
    refused(
        KeyspaceFacts.of("shop", Map.of("class", "NetworkTopologyStrategy"), true),
        "at least 1 replica");
  }

  private static void refused(KeyspaceFacts keyspace, String... words) {
    assertThatThrownBy(() -> KeyspaceCheck.check(keyspace, Set.of("a", "b")))
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("Keyspace shop")
        .hasMessageContainingAll(words);
  }

  @Test
  void claimsTheTestedLineOnly() {
    assertThat(CassandraLines.isTested(version("5.0.9"))).isTrue();
    assertThat(CassandraLines.isTested(version("5.0.0-rc1"))).isTrue();
    assertThat(CassandraLines.isTested(version("4.1.3"))).isFalse();
    assertThat(CassandraLines.isTested(version("5.1.0"))).isFalse();
  }

  private static Version version(String text) {
    return Objects.requireNonNull(Version.parse(text));
  }
}
