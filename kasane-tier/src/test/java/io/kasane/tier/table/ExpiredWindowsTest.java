/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import static io.kasane.host.inprocess.InProcessCassandra.cql;
import static io.kasane.host.inprocess.InProcessCassandra.flush;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.host.inprocess.InProcess;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.InProcessTiers;
import io.kasane.tier.InProcessTiers.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Windows of time on slow, copies of their hot rows on fast, and what goes when time has passed.
 */
@InProcess
class ExpiredWindowsTest {
  private static final Map<String, String> DAYS =
      Map.of("compaction_window_unit", "DAYS", "expired_sstable_check_frequency_seconds", "0");

  private static final int SHORT_SECONDS = 2;
  private static final int LONG_SECONDS = 1_000_000;

  @BeforeAll
  static void start() {
    InProcessTiers.start();
  }

  private static long micros(int daysAgo) {
    return TimeUnit.MILLISECONDS.toMicros(
        System.currentTimeMillis() - TimeUnit.DAYS.toMillis(daysAgo));
  }

  private static void insert(Table table, int k, int c, int daysAgo, int ttlSeconds) {
    cql(
        "INSERT INTO " + table.name() + " (k, c, v) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?",
        k,
        c,
        "v" + k + "-" + c,
        micros(daysAgo),
        ttlSeconds);
  }

  /** Writes rows {@code c} of partitions 0 to 9 as on a day that is past, and flushes them. */
  private static void day(Table table, int c, int daysAgo, int ttlSeconds) {
    for (int k = 0; k < 10; k++) {
      insert(table, k, c, daysAgo, ttlSeconds);
    }
    flush(table.cfs());
  }

  private static long now() {
    return FBUtilities.nowInSeconds();
  }

  private static void compactAllThatIsDue(Table table) {
    for (int left = 30; table.compactNext(now()); left--) {
      assertThat(left).as("compactions without an end").isPositive();
    }
  }

  private static Set<Long> windows(Table table) {
    Set<Long> windows = new HashSet<>();
    for (SSTableReader sstable : table.sstables(Disk.SLOW)) {
      long day = TimeUnit.MICROSECONDS.toDays(sstable.getMaxTimestamp());
      assertThat(TimeUnit.MICROSECONDS.toDays(sstable.getMinTimestamp())).isEqualTo(day);
      windows.add(day);
    }
    return windows;
  }

  private static void copyHot(Table table, int k) {
    table.copy();
    Awaitility.await()
        .until(
            () -> {
              table.read(k);
              DecoratedKey key = table.cfs().decorateKey(ByteBufferUtil.bytes(k));
              return table.keys(Disk.FAST).contains(k)
                  && table.sstables(Disk.SLOW).stream()
                      .filter(s -> InProcessTiers.Table.keys(s).contains(k))
                      .allMatch(s -> table.tiers().skippable().contains(s.descriptor, key));
            });
    table.cfs().disableAutoCompaction();
  }

  private static void expire(Table table) {
    Awaitility.await()
        .until(
            () ->
                table.sstables(Disk.SLOW).stream()
                    .anyMatch(s -> s.getMaxLocalDeletionTime() < now()));
  }

  @Test
  void windowsAreMergedEachForItselfAndGoAsAWhole() {
    Table table = InProcessTiers.table(DAYS, 77);
    day(table, 1, 3, SHORT_SECONDS);
    day(table, 2, 3, SHORT_SECONDS);
    day(table, 3, 2, LONG_SECONDS);
    day(table, 4, 2, LONG_SECONDS);
    day(table, 5, 0, LONG_SECONDS);
    compactAllThatIsDue(table);
    Awaitility.await()
        .untilAsserted(
            () -> {
              compactAllThatIsDue(table);
              assertThat(windows(table)).hasSize(2);
              assertThat(table.sstables(Disk.SLOW)).hasSize(2);
            });
    assertThat(table.read(4)).containsExactly("3=v4-3", "4=v4-4", "5=v4-5");
  }

  @Test
  void theViewShowsThem() {
    Table table = InProcessTiers.table(DAYS, 77);
    day(table, 1, 3, SHORT_SECONDS);
    day(table, 2, 1, LONG_SECONDS);
    day(table, 3, 1, LONG_SECONDS);
    expire(table);
    String[] words = table.name().split("\\.", 2);
    List<String> seen = new ArrayList<>();
    cql(
            "SELECT * FROM kasane_views.windows WHERE keyspace_name = ? AND table_name = ?",
            words[0],
            words[1])
        .forEach(row -> seen.add(row.getInt("sstables") + " " + row.getBoolean("is_expired")));
    assertThat(seen).containsExactly("1 true", "2 false");
  }

  @Test
  void aRequestForAllMergesNoWindows() {
    Table table = InProcessTiers.table(DAYS, 77);
    for (int c = 0; c < 6; c++) {
      day(table, c, c / 2, LONG_SECONDS);
    }
    table.compactAll(now());
    assertThat(windows(table)).hasSize(3);
    assertThat(table.sstables(Disk.SLOW)).hasSize(3);
    assertThat(table.read(4)).hasSize(6);
  }

  /** The copy has rows of the day that goes and of one that stays. */
  @Test
  void aCopyDoesNotKeepAnExpiredWindow() {
    Table table = InProcessTiers.table(DAYS, 77);
    day(table, 1, 3, 4 * SHORT_SECONDS);
    day(table, 2, 0, LONG_SECONDS);
    table.alter(DAYS, 3);
    copyHot(table, 3);
    expire(table);
    Awaitility.await()
        .untilAsserted(
            () -> {
              compactAllThatIsDue(table);
              assertThat(table.sstables(Disk.SLOW)).hasSize(1);
            });
    assertThat(table.read(3)).containsExactly("2=v3-2");
    assertThat(table.keys(Disk.FAST)).as("its row of today").containsExactly(3);
    assertThat(table.tiers().copies().fastOnlyBytes()).isZero();
    assertThat(table.count()).isEqualTo(10);
  }

  /** The tombstone goes with its window; what it hides lies in a copy that knows nothing of it. */
  @Test
  void whatAnExpiredDeletionHidesInACopyStaysHidden() {
    Table table = InProcessTiers.table(DAYS, 77);
    cql(
        "INSERT INTO " + table.name() + " (k, c, v) VALUES (3, 1, 'old') USING TIMESTAMP ?",
        micros(3));
    flush(table.cfs());
    table.alter(DAYS, 3);
    copyHot(table, 3);
    cql("DELETE FROM " + table.name() + " USING TIMESTAMP ? WHERE k = 3 AND c = 1", micros(3));
    flush(table.cfs());
    day(table, 2, 0, LONG_SECONDS);
    expire(table);
    Awaitility.await()
        .pollDelay(1, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              compactAllThatIsDue(table);
              assertThat(table.read(3)).containsExactly("2=v3-2");
            });
    for (int round = 0; round < 3; round++) {
      table.compactAll(now());
      assertThat(table.read(3)).containsExactly("2=v3-2");
    }
  }

  @Test
  void expiredDataThatHidesOlderLiveDataStays() {
    Table table = InProcessTiers.table(DAYS, 77);
    cql(
        "INSERT INTO " + table.name() + " (k, c, v) VALUES (3, 1, 'live') USING TIMESTAMP ?",
        micros(3));
    flush(table.cfs());
    insert(table, 3, 1, 2, SHORT_SECONDS);
    flush(table.cfs());
    expire(table);
    compactAllThatIsDue(table);
    assertThat(table.sstables(Disk.SLOW)).hasSize(2);
    assertThat(table.read(3)).isEmpty();
  }

  @Test
  void rowsThatAreTooOldLeaveFast() throws IOException {
    Map<String, String> aged = new HashMap<>(DAYS);
    Table table = InProcessTiers.table(aged, 77);
    day(table, 1, 9, LONG_SECONDS);
    for (int k = 0; k < 5; k++) {
      insert(table, k, 2, 0, LONG_SECONDS);
    }
    flush(table.cfs());
    table.alter(aged, 3, 7);
    copyHot(table, 3);
    copyHot(table, 7);
    aged.put("fast_max_age", "5d");
    table.alter(aged, 3, 7);
    assertThat(table.tiers().isTooOldForFast(table.cfs().decorateKey(ByteBufferUtil.bytes(7))))
        .isTrue();
    assertThat(table.tiers().isTooOldForFast(table.cfs().decorateKey(ByteBufferUtil.bytes(3))))
        .isFalse();
    for (SSTableReader copy : table.sstables(Disk.FAST)) { // as if written before the bound moved
      Files.setLastModifiedTime(
          copy.descriptor.fileFor(SSTableFormat.Components.DATA).toPath(), FileTime.fromMillis(0));
    }
    Awaitility.await()
        .untilAsserted(
            () -> {
              compactAllThatIsDue(table);
              assertThat(table.keys(Disk.FAST)).containsExactly(3);
            });
    table.copy();
    for (int i = 0; i < 50; i++) {
      assertThat(table.read(7)).containsExactly("1=v7-1");
    }
    assertThat(table.keys(Disk.FAST)).containsExactly(3);
    assertThat(table.read(3)).containsExactly("1=v3-1", "2=v3-2");
  }

  /** A day of a month ago lies in files of its own after the way there and back. */
  @Test
  void stockFindsItsWindowsAgain() {
    Table table = InProcessTiers.table(DAYS, 77);
    for (int c = 0; c < 4; c++) {
      day(table, c, c, LONG_SECONDS);
    }
    compactAllThatIsDue(table);
    cql(
        "ALTER TABLE "
            + table.name()
            + " WITH compaction = {'class': 'TimeWindowCompactionStrategy',"
            + " 'compaction_window_unit': 'DAYS'}");
    assertThat(List.copyOf(table.cfs().getLiveSSTables())).hasSize(4);
    assertThat(table.read(4)).hasSize(4);
  }
}
