/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kasane.bench.engines.Workload;
import io.kasane.node.NodeException;
import io.kasane.node.ReplicaKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KindsTableTest {
  private static KindsEntry entry(KindsSystem system, Integer rate, double throughput) {
    return entry(system, Workload.READ_HEAVY, rate, throughput);
  }

  private static KindsEntry entry(
      KindsSystem system, Workload workload, Integer rate, double throughput) {
    return new KindsEntry(
        system.label(),
        workload.label(),
        rate,
        1_000,
        6,
        throughput,
        null,
        null,
        900.0,
        2_000L,
        Map.of("lsm", 0.25, "redis", 0.75),
        0.5,
        100,
        null,
        null,
        10,
        10,
        0,
        0,
        null);
  }

  @Test
  void aMixStandsBesideTheBestClusterOfOneKind() {
    List<KindsEntry> all =
        List.of(
            entry(KindsSystem.CLUSTER_MIXED, null, 300),
            entry(KindsSystem.CLUSTER_LSM, null, 200),
            entry(KindsSystem.CLUSTER_REDIS, null, 400),
            entry(KindsSystem.CLUSTER_REDIS, 9_999, 9_999),
            entry(KindsSystem.REDIS, null, 9_999));
    List<KindsEntry> compared = KindsTable.besideTheBest(all);
    assertThat(compared.get(0).ofBestHomogeneous()).isEqualTo(0.75);
    assertThat(compared.subList(1, 5)).allMatch(each -> each.ofBestHomogeneous() == null);
  }

  @Test
  void aMixOfDisksStandsBesideWhatTheProofAllows() {
    List<KindsEntry> all = new ArrayList<>();
    all.add(entry(KindsSystem.CLUSTER_SSD_SSD_HDD, Workload.READ_ONLY, null, 900));
    all.add(entry(KindsSystem.CLUSTER_SSD, Workload.READ_ONLY, null, 1_500));
    all.add(entry(KindsSystem.CLUSTER_SSD, Workload.UPDATE_ONLY, null, 4_000));
    all.add(entry(KindsSystem.CLUSTER_HDD, Workload.READ_ONLY, null, 15));
    assertThat(KindsTable.besideTheBest(all).get(0).boundOps())
        .as("what a hard disk's writes cost is not known yet")
        .isNull();
    all.add(entry(KindsSystem.CLUSTER_HDD, Workload.UPDATE_ONLY, null, 4_000));
    KindsEntry mix = KindsTable.besideTheBest(all).get(0);
    assertThat(mix.boundOps()).isCloseTo(1_005, within(0.001));
    assertThat(mix.ofBestHomogeneous()).isEqualTo(0.6);
    assertThat(KindsTable.of(List.of(mix)))
        .contains("## Three nodes on modelled disks, read-only, saturated")
        .contains("| cluster-ssd+ssd+hdd | 900 | 0.60 | 0.90 |");
  }

  @Test
  void aTableSaysWhatWasNotSeenByADash() {
    String table = KindsTable.of(List.of(entry(KindsSystem.CLUSTER_LSM, 500, 499.6)));
    assertThat(table)
        .contains(
            "## Three nodes, read-heavy, 500 operations/s", "| cluster-lsm | 500 | - | - | - | - |")
        .containsPattern("(lsm 25.0 %, redis 75.0 %|redis 75.0 %, lsm 25.0 %)");
  }

  @ParameterizedTest
  @EnumSource
  void everySystemCanBeStarted(KindsSystem system) {
    assertThat(ReplicaKinds.parse(system.kinds()).size()).isEqualTo(system.nodes());
    assertThat(system.nodes()).isEqualTo(system.isCluster() ? 3 : 1);
  }

  @Test
  void systemsAreChosenByTheirNames() {
    assertThat(KindsSystem.chosen(Set.of("redis", "cluster-lsm")))
        .containsExactly(KindsSystem.REDIS, KindsSystem.CLUSTER_LSM);
    assertThatThrownBy(() -> KindsSystem.chosen(Set.of("mysql")))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("'mysql'")
        .hasMessageContaining("cluster-lsm+innodb+redis");
  }
}
