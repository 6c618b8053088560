/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.node.views.AboutNode;
import io.kasane.node.views.DiskRow;
import io.kasane.node.views.EngineView;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.ReplicaView;
import io.kasane.node.views.TableSummary;
import io.kasane.node.views.TierView;
import io.kasane.node.views.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeChecksTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private final List<TableSummary> tables = new ArrayList<>();
  private final List<EngineView> engines = new ArrayList<>();
  private final List<DiskRow> disks = new ArrayList<>();
  private final List<WorkerRow> workers = new ArrayList<>();
  private final List<ReplicaView> replicas = new ArrayList<>();
  private final Map<String, String> settings = new TreeMap<>();
  private final Map<String, String> retries = new TreeMap<>();
  private final Map<String, List<TierView>> tiers = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();
  private final List<String> silent = new ArrayList<>();

  NodeChecksTest() {
    tables.add(table("tier", true, 10 * GIB, 0));
    disks.add(disk("/hdd", "slow", 40));
    disks.add(disk("/nvme", "fast", 2));
    workers.add(new WorkerRow("Maintenance", 900));
    replicas.add(new ReplicaView("10.0.0.1:7000", "r1", true, 0, 0, 0));
    settings.putAll(
        Map.of(
            "commitlog_sync", "batch",
            "uuid_sstable_identifiers_enabled", "true",
            "disk_failure_policy", "stop",
            "memtable_heap_space", "2048MiB",
            "memtable_offheap_space", "2048MiB",
            "memtable_cleanup_threshold", "0.25"));
    tiers.put("shop.items", List.of(tier("fast", 10), tier("slow", 5_000)));
    versions.put("10.0.0.1:9042", "Kasane 1 on Cassandra 5.0.9");
  }

  private static TableSummary table(String mode, boolean pays, long quota, long fastOnly) {
    return new TableSummary(
        "shop.items",
        "heat",
        mode,
        quota,
        quota / 2,
        fastOnly,
        GIB,
        50_000,
        50_000,
        0.5,
        7,
        pays,
        1000,
        0.9,
        1);
  }

  private static DiskRow disk(String directory, String tier, long freeGiB) {
    return new DiskRow(
        directory, tier, OptionalLong.of(100 * GIB), OptionalLong.of(freeGiB * GIB), true);
  }

  private static TierView tier(String name, long waits) {
    return new TierView(name, 3, GIB, 100, 50_000, waits);
  }

  private List<String> told() {
    NodeOverview node =
        new NodeOverview(
            new AboutNode(
                "10.0.0.1:9042", "1", "5.0.9", "17", 0, List.of(), OptionalLong.empty(), 0),
            tables,
            engines,
            List.of(),
            disks,
            workers,
            replicas);
    return NodeChecks.of(new NodeFacts(node, settings, retries, tiers, versions, silent)).stream()
        .map(finding -> finding.level() + " " + finding.subject() + ": " + finding.text())
        .toList();
  }

  private void requireTold(String level, String subject, String... words) {
    assertThat(told())
        .anySatisfy(line -> assertThat(line).startsWith(level + " " + subject).contains(words));
  }

  @Test
  void aHealthyNodeHasNothingToChange() {
    assertThat(told()).isNotEmpty().allMatch(line -> line.startsWith("OK "));
  }

  @Test
  void versionsThatDifferAreNamed() {
    versions.put("10.0.0.2:9042", "Kasane 2 on Cassandra 5.0.9");
    silent.add("10.0.0.3:9042");
    requireTold("WARN", "versions", "10.0.0.2:9042=Kasane 2");
    requireTold("WARN", "versions", "not asked", "10.0.0.3:9042");
  }

  @Test
  void aThreadThatHangsIsAFailure() {
    workers.add(new WorkerRow("Promotion", 61_000));
    requireTold("FAIL", "threads", "KasanePromotion", "jstack");
  }

  @Test
  void aSlowDiskThatFillsIsTold() {
    disks.set(0, disk("/hdd", "slow", 10));
    requireTold("WARN", "slow disk", "/hdd", "10 %");
    disks.set(0, disk("/hdd", "slow", 4));
    requireTold("FAIL", "slow disk", "/hdd", "writes will fail");
  }

  @Test
  void aDiskThatIsGoneIsAFailure() {
    disks.set(1, new DiskRow("/nvme", "fast", OptionalLong.empty(), OptionalLong.empty(), false));
    requireTold("FAIL", "fast disk", "/nvme cannot be written to");
  }

  @Test
  void disksTheWrongWayRoundAreMeasured() {
    tiers.put("shop.items", List.of(tier("fast", 5_000), tier("slow", 10)));
    requireTold("WARN", "which is faster", "swapped", "100,000");
  }

  @Test
  void aQuotaBelowTenMemtablesIsTold() {
    tables.set(0, table("tier", true, 9 * GIB, 0));
    requireTold("WARN", "shop.items", "less than ten memtables", "7 rows did not");
  }

  @Test
  void copiesThatDoNotPayAreTold() {
    tables.set(0, table("tier", false, 10 * GIB, 0));
    requireTold("WARN", "shop.items", "copies do not pay");
  }

  @Test
  void aCacheThatIsAheadOfSlowAndStopsTheNodeIsTold() {
    tables.set(0, table("cache", true, 10 * GIB, 3 * MIB));
    requireTold("WARN", "shop.items", "3.0 MiB are on fast only");
    requireTold("WARN", "disk failures", "disk_failure_policy is stop", "best_effort");
  }

  @Test
  void settingsThatDoNotGoWellAreTold() {
    settings.put("commitlog_sync", "periodic");
    settings.put("uuid_sstable_identifiers_enabled", "false");
    requireTold("WARN", "commit log", "periodic");
    requireTold("WARN", "SSTable identifiers", "digests");
  }

  @Test
  void settingsThatARoleMayNotSeeAreTold() {
    settings.clear();
    requireTold("WARN", "settings", "GRANT SELECT ON system_views.settings");
  }

  @Test
  void readsThatGoWhereTheyShouldNotAreToldOnlyWhereReadsAvoidNodes() {
    retries.put("shop.items", "50p");
    assertThat(told()).noneMatch(line -> line.contains("speculative_retry"));
    replicas.add(new ReplicaView("10.0.0.2:7000", "r2", true, 1, 0, 0));
    requireTold("WARN", "kinds", "speculative_retry of shop.items is 50p");
  }

  @Test
  void anEngineThatIsOutIsAFailure() {
    engines.add(
        new EngineView(
            "redis",
            true,
            false,
            false,
            Optional.of("no answer"),
            12,
            1,
            0,
            "/e",
            OptionalLong.empty()));
    requireTold("FAIL", "engine redis", "12 s", "no answer");
  }

  @Test
  void nodesThatAreDownOrBehindAreTold() {
    replicas.add(new ReplicaView("10.0.0.2:7000", "r2", false, 0, MIB, 7200));
    requireTold("WARN", "other nodes", "down", "10.0.0.2:7000");
    requireTold("WARN", "other nodes", "120 min", "repair");
  }

  @Test
  void aTableWithoutAFastDiskIsNotSaidToHaveTiers() {
    disks.remove(1);
    requireTold("OK", "shop.items", "without a fast disk");
  }

  @Test
  void withoutTablesAndFastDiskNothingIsMoved() {
    tables.clear();
    disks.remove(1);
    requireTold("WARN", "tables", "nothing is moved");
    requireTold("WARN", "fast disk", "none");
  }
}
