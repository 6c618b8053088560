/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import io.kasane.node.ByteSize;
import io.kasane.node.views.DiskRow;
import io.kasane.node.views.EngineView;
import io.kasane.node.views.KnownHeat;
import io.kasane.node.views.ReplicaView;
import io.kasane.node.views.TableSummary;
import io.kasane.node.views.TierView;
import io.kasane.node.views.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is unwise or ill in a node that serves, judged from what it tells over CQL. */
final class NodeChecks {
  /** As docs/operate/monitor.md has it for alerts. */
  private static final long OLD_ROUND_MILLIS = 60_000;

  /** Merging needs room, and a full disk fails writes. */
  private static final double LITTLE_FREE = 0.15;

  private static final double VERY_LITTLE_FREE = 0.05;

  /** A flush puts its hot rows on fast, in what room hot rows leave there. */
  private static final int MEMTABLES_IN_QUOTA = 10;

  /** Fewer reads say little of a disk. */
  private static final long ENOUGH_READS = 1_000;

  private static final long OLD_HINT_SECONDS = 3_600;

  private final NodeFacts facts;
  private final List<Finding> findings = new ArrayList<>();

  private NodeChecks(NodeFacts facts) {
    this.facts = facts;
  }

  /** Judges; each subject has a line at least. */
  static List<Finding> of(NodeFacts facts) {
    NodeChecks checks = new NodeChecks(facts);
    checks.versions();
    checks.workers();
    checks.disks();
    checks.waysRound();
    checks.tables();
    checks.quotas();
    checks.findings.addAll(
        HeatChecks.of(
            facts.node().tables().stream()
                .map(table -> new KnownHeat(table.table(), table.knownHeatShare()))
                .toList()));
    checks.settings();
    checks.engines();
    checks.replicas();
    return checks.findings;
  }

  private void versions() {
    Set<String> all = Set.copyOf(facts.versions().values());
    if (all.size() > 1) {
      findings.add(
          Finding.warn(
              "versions",
              "nodes differ: "
                  + facts.versions()
                  + "; well during an upgrade, else give all the same jars"));
    } else {
      findings.add(
          Finding.ok(
              "versions", String.join("", all) + " on " + count(facts.versions().size(), "node")));
    }
    if (!facts.silent().isEmpty()) {
      findings.add(
          Finding.warn(
              "versions",
              "not asked, being down, out of reach from here, or without Kasane: "
                  + facts.silent()));
    }
  }

  private void workers() {
    List<WorkerRow> late =
        facts.node().workers().stream()
            .filter(worker -> worker.ageMillis() > OLD_ROUND_MILLIS)
            .toList();
    if (late.isEmpty()) {
      long oldest = facts.node().workers().stream().mapToLong(WorkerRow::ageMillis).max().orElse(0);
      findings.add(Finding.ok("threads", "all went round within " + oldest / 1000 + " s"));
    }
    late.forEach(
        worker ->
            findings.add(
                Finding.fail(
                    "threads",
                    "Kasane"
                        + worker.name()
                        + " last went round "
                        + worker.ageMillis() / 1000
                        + " s ago: it hangs. Take a thread dump with jstack, then restart")));
  }

  private void disks() {
    boolean hasFast = false;
    for (DiskRow disk : facts.node().disks()) {
      hasFast |= disk.tier().equals("fast");
      String subject = disk.tier() + " disk";
      if (!disk.isUsable()) {
        findings.add(
            Finding.fail(
                subject, disk.directory() + " cannot be written to: unmounted, read-only or full"));
      } else if (disk.freeBytes().isPresent()) {
        findings.add(room(subject, disk));
      }
    }
    if (!hasFast) {
      findings.add(
          Finding.warn(
              "fast disk",
              "none: tables are compacted by size and heat alone. Name one in kasane.yaml"));
    }
  }

  private static Finding room(String subject, DiskRow disk) {
    long free = disk.freeBytes().getAsLong();
    double share = (double) free / Math.max(1, disk.totalBytes().orElse(1));
    String text =
        String.format(
            "%s has %s free, %.0f %%", disk.directory(), new ByteSize(free).human(), 100 * share);
    if (disk.tier().equals("slow") && share < VERY_LITTLE_FREE) {
      return Finding.fail(subject, text + ": writes will fail. Free room, or add a node, now");
    }
    if (disk.tier().equals("slow") && share < LITTLE_FREE) {
      return Finding.warn(
          subject, text + ": a compaction of all may not find room. Free some, or add a node");
    }
    return Finding.ok(subject, text);
  }

  /** Measured: a disk that makes reads wait more often than the other is the slower one. */
  private void waysRound() {
    OptionalLong fast = waitsOfAMillion("fast", TableSummary::readsFast);
    OptionalLong slow = waitsOfAMillion("slow", TableSummary::readsSlow);
    if (fast.isEmpty() || slow.isEmpty()) {
      return;
    }
    String text =
        String.format(
            "of a million reads a look into an SSTable took 2 ms and more: on fast of %,d, on slow of"
                + " %,d",
            fast.getAsLong(), slow.getAsLong());
    findings.add(
        fast.getAsLong() > slow.getAsLong()
            ? Finding.warn(
                "which is faster",
                text
                    + ". Are the disks swapped? Or else slow's data are in the page cache, and a"
                    + " fast disk gains nothing yet")
            : Finding.ok("which is faster", text));
  }

  private OptionalLong waitsOfAMillion(String tier, ToLongFunction<TableSummary> readsOf) {
    long reads = facts.node().tables().stream().mapToLong(readsOf).sum();
    long waits =
        facts.tiers().values().stream()
            .flatMap(List::stream)
            .filter(one -> one.tier().equals(tier))
            .mapToLong(TierView::waits)
            .sum();
    return reads < ENOUGH_READS ? OptionalLong.empty() : OptionalLong.of(1_000_000 * waits / reads);
  }

  private void tables() {
    List<TableSummary> tables = facts.node().tables();
    if (tables.isEmpty()) {
      findings.add(
          Finding.warn(
              "tables",
              "none has io.kasane.tier.HeatTieredCompactionStrategy on this node: nothing is moved"));
    }
    for (TableSummary table : tables) {
      if (table.policy().equals("stay")) {
        findings.add(
            Finding.fail(
                table.table(),
                "a bad option is in the schema: its rows stay where they are. The log of the node"
                    + " names it; ALTER TABLE to correct it"));
      } else if (facts.node().disks().stream().noneMatch(disk -> disk.tier().equals("fast"))) {
        findings.add(
            Finding.ok(table.table(), "is compacted by size and heat, without a fast disk"));
      } else if (!table.copiesPay() && table.readsFast() + table.readsSlow() > ENOUGH_READS) {
        findings.add(
            Finding.warn(
                table.table(),
                "copies do not pay: fast serves less than twice its share of the bytes. Reads are"
                    + " spread, or the quota is large; see 'kasane heat --curve'"));
      } else {
        findings.add(Finding.ok(table.table(), "has tiers, and copies pay or are not judged yet"));
      }
      if (table.tierMode().equals("cache") && table.fastOnlyBytes() > 0) {
        findings.add(
            Finding.warn(
                table.table(),
                new ByteSize(table.fastOnlyBytes()).human()
                    + " are on fast only: losing that disk now loses them on this node. Well for"
                    + " minutes; if it lasts, slow is full or behind"));
      }
    }
  }

  private void quotas() {
    long memtable = memtableBytes();
    if (memtable == 0) {
      return;
    }
    for (TableSummary table : facts.node().tables()) {
      if (table.fastQuotaBytes() > 0 && table.fastQuotaBytes() < MEMTABLES_IN_QUOTA * memtable) {
        findings.add(
            Finding.warn(
                table.table(),
                "its quota is "
                    + new ByteSize(table.fastQuotaBytes()).human()
                    + ", less than ten memtables of up to "
                    + new ByteSize(memtable).human()
                    + ": flushed rows that are hot may find no room"
                    + (table.refusedRows() == 0
                        ? ""
                        : String.format(" (%,d rows did not)", table.refusedRows()))
                    + ". Raise fast_quota, or flush smaller memtables"));
      }
    }
  }

  /** All memtables together, times the share at which the largest one is flushed. */
  private long memtableBytes() {
    long mib = mebibytes("memtable_heap_space") + mebibytes("memtable_offheap_space");
    try {
      return (long) (mib * Double.parseDouble(facts.setting("memtable_cleanup_threshold"))) << 20;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private long mebibytes(String setting) {
    String digits = facts.setting(setting).replaceAll("MiB$", "");
    return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : 0;
  }

  private void settings() {
    if (facts.settings().isEmpty()) {
      findings.add(
          Finding.warn(
              "settings",
              "are not to be seen by this role: GRANT SELECT ON system_views.settings, as 'kasane"
                  + " grants' prints"));
    }
    if (facts.setting("commitlog_sync").equals("periodic")) {
      findings.add(
          Finding.warn(
              "commit log",
              "commitlog_sync is periodic, as it comes: a machine that loses power loses up to"
                  + " commitlog_sync_period of acknowledged writes, which its other replicas have."
                  + " With one replica, or replicas that fail together, take batch or group"));
    }
    if (facts.setting("uuid_sstable_identifiers_enabled").equals("false")) {
      findings.add(
          Finding.warn(
              "SSTable identifiers",
              "are numbers, which come again after a crash: to know SSTables again, Kasane reads"
                  + " their digests at each start. With storage_compatibility_mode NONE and"
                  + " uuid_sstable_identifiers_enabled it need not"));
    }
    String policy = facts.setting("disk_failure_policy");
    boolean hasCache =
        facts.node().tables().stream().anyMatch(table -> table.tierMode().equals("cache"));
    if (hasCache && !policy.equals("best_effort")) {
      findings.add(
          Finding.warn(
              "disk failures",
              "disk_failure_policy is "
                  + policy
                  + ": though tables have tier_mode 'cache', a fast disk whose reads fail stops the"
                  + " node. Set best_effort"));
    }
    if (facts.node().replicas().stream().anyMatch(replica -> replica.severity() > 0)) {
      findings.addAll(KindChecks.of(facts.retries()));
    }
  }

  private void engines() {
    for (EngineView engine : facts.node().engines()) {
      findings.add(
          engine.takesWrites() && engine.answersReads()
              ? Finding.ok("engine " + engine.engine(), "takes writes and answers reads")
              : Finding.fail(
                  "engine " + engine.engine(),
                  "is out for "
                      + engine.outSeconds()
                      + " s: "
                      + engine.outReason().orElse("it does not say why")));
    }
  }

  private void replicas() {
    String down =
        facts.node().replicas().stream()
            .filter(replica -> !replica.isUp())
            .map(ReplicaView::address)
            .collect(Collectors.joining(", "));
    if (!down.isEmpty()) {
      findings.add(Finding.warn("other nodes", "down, as this one sees them: " + down));
    }
    Stream<ReplicaView> behind =
        facts.node().replicas().stream()
            .filter(replica -> replica.oldestHintSeconds() > OLD_HINT_SECONDS);
    behind.forEach(
        replica ->
            findings.add(
                Finding.warn(
                    "other nodes",
                    replica.address()
                        + " misses writes of the last "
                        + replica.oldestHintSeconds() / 60
                        + " min, for which hints are kept; beyond max_hint_window it needs a"
                        + " repair")));
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
