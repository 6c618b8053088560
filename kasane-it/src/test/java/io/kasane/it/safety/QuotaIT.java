/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row wants to be on fast, which holds a small part of them: the limits must stand. */
@Tag("node")
class QuotaIT {
  private static final ByteSize NODE_QUOTA = ByteSize.parse("4MiB");
  private static final ByteSize TABLE_QUOTA = ByteSize.parse("1536KiB");
  private static final long SEED = 1;
  private static final double READ_SHARE = 0.2;
  private static final long LOAD_MILLIS = 6_000;

  private final CheckedTable<?> small = new CheckedRows("small", 4000, 2000);
  private final CheckedTable<?> partitions = new CheckedPartitions("partitions", 1500);
  private final CheckedTable<?> rows = new CheckedRows("rows", 6000, 3000);
  private final CheckedTable<?> cached = new CheckedRows("cached", 4000, 2000);
  private final CheckedIndexed indexed = new CheckedIndexed("indexed", 3000);
  private final List<CheckedTable<?>> tables = List.of(cached, small, partitions, rows, indexed);

  @TempDir private Path dir;

  @Test
  void shouldNeverHoldMoreOnFastThanItsQuotas() throws Exception {
    LocalNode node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("600m")
                        .fastQuota(NODE_QUOTA)
                        .yaml("concurrent_compactors", 2)
                        .yaml("compaction_throughput", "0MiB/s"))
            .build()
            .node(1);
    Map<String, Long> tableLimits =
        Map.of(
            small.qualifiedName(), TABLE_QUOTA.bytes(),
            indexed.qualifiedName(), TABLE_QUOTA.bytes(),
            cached.qualifiedName(), TABLE_QUOTA.bytes());
    Path fast = node.settings().fast();
    try {
      node.start().waitUntilReady();
      try (CqlSession session = node.connect();
          QuotaSampler sampler = new QuotaSampler(fast, NODE_QUOTA.bytes(), tableLimits)) {
        session.execute(
            "CREATE KEYSPACE "
                + CheckedTable.KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        for (CheckedTable<?> table : tables) {
          session.execute(
              "CREATE TABLE "
                  + table.qualifiedName()
                  + " ("
                  + table.columns()
                  + ") WITH compaction ="
                  + " {'class': 'io.kasane.tier.HeatTieredCompactionStrategy', 'min_threshold': 3, "
                  + wishes(table)
                  + "}");
          table.connect(session);
        }
        indexed.createIndexes(session);
        // Of a fifth of the node's quota: where flushes find no room, rows fill a third of it.
        long leastIndexedBytes = NODE_QUOTA.bytes() / 5 / 4;
        load(node, () -> sampler.peakBytes(indexed.qualifiedName()) > leastIndexedBytes);
        nodetool(node, "compact", CheckedTable.KEYSPACE);
        nodetool(node, "snapshot", "-t", "kept", CheckedTable.KEYSPACE);
        load(node, () -> true); // a snapshot keeps files on fast that count
        tables.forEach(CheckedTable::verify);

        assertThat(sampler.violations()).isEmpty();
        assertThat(sampler.peakBytes()).isGreaterThan(NODE_QUOTA.bytes() * 2 / 3);
        assertThat(sampler.peakBytes(small.qualifiedName()))
            .isGreaterThan(TABLE_QUOTA.bytes() * 2 / 3);
        assertThat(sampler.peakBytes(cached.qualifiedName())).as("bytes of copies").isPositive();
        assertThat(node.log().errors()).isEmpty();
        System.out.printf(
            "quota: node peak %,d of %,d bytes, tables' peaks %,d, %,d and %,d of %,d, %,d walks%n",
            sampler.peakBytes(),
            NODE_QUOTA.bytes(),
            sampler.peakBytes(small.qualifiedName()),
            sampler.peakBytes(cached.qualifiedName()),
            sampler.peakBytes(indexed.qualifiedName()),
            TABLE_QUOTA.bytes(),
            sampler.walks());
      }
    } finally {
      node.kill9();
    }
  }

  private String wishes(CheckedTable<?> table) {
    String quota = "'fast_quota': '" + TABLE_QUOTA + "', ";
    if (table == cached) { // all that was read or written is copied
      return quota
          + "'tier_mode': 'cache', 'heat_policy': 'window', 'heat_counts': 'both',"
          + " 'heat_period': '1h'";
    }
    return (table == small || table == indexed ? quota : "")
        + "'placement': 'fast-first', 'heat_period': '1s', 'slow_read_cost': '16MiB'";
  }

  /** Others may have filled the disk before a table flushes for the first time: they make room. */
  private void load(LocalNode node, BooleanSupplier isEnough) throws InterruptedException {
    try (Traffic traffic = Traffic.start(node, tables, READ_SHARE, new Random(SEED))) {
      Thread.sleep(LOAD_MILLIS);
      Awaitility.await("room for " + indexed.qualifiedName())
          .atMost(Duration.ofSeconds(60))
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                if (!isEnough.getAsBoolean()) {
                  nodetool(node, "flush", CheckedTable.KEYSPACE, "indexed");
                }
                return isEnough.getAsBoolean();
              });
      traffic.endsNow();
      traffic.await();
    }
  }
}
