/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Rows are not copied for nothing where none is hot, and are as soon as some are; when others are
 * read, what was counted before counts less; and where none is hot, updates fill the fast disk.
 */
@Tag("node")
@ExtendWith(SharedNode.class)
class CopyBenefitIT {
  private static final String TABLE = "evenly";
  private static final int ROWS = 6_000;
  private static final int HOT = 20;
  private static final int MORE_READS = 3_000;
  private static final int UPDATES = 300;
  private static final int QUOTA_BYTES = 1 << 20;
  private static final long SEED = 11;
  private static final String OTHER_ROWS = "as when other rows are read than before";

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final LocalNode node;
  private final CqlSession session;

  CopyBenefitIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @AfterEach
  void drop() {
    session.execute("DROP TABLE k." + TABLE);
    nodetool(node, "clearsnapshot", "--all"); // else it counts as what lies on fast
  }

  @Test
  @Tag("long")
  void shouldCopyLittleWhereAllRowsAreReadAlike() {
    copyLittleWhereAllAreReadAlike();
  }

  @Test
  @Tag("long")
  void shouldForgetHalfWhenOtherRowsAreRead() {
    forgetHalfWhenOtherRowsAreRead(copyLittleWhereAllAreReadAlike(), node);
  }

  private TieredRows copyLittleWhereAllAreReadAlike() {
    String compaction = Tiered.strategy("fast_quota", "1MiB");
    TieredRows rows = Tiered.rowsOnSlow(node, session, TABLE, compaction, ROWS);
    readAllAlike(rows);
    readSomeMore(rows, 0);
    return rows;
  }

  /** Few rows are copied before copies do not pay, so that room lies idle. */
  @Test
  void shouldFlushToIdleRoomWhereAllRowsAreReadAlike() {
    String compaction =
        Tiered.strategy(
            "fast_quota", "1MiB", "promotion_rows_per_second", "50", "min_threshold", "32");
    TieredRows rows = Tiered.rowsOnSlow(node, session, TABLE, compaction, ROWS);
    readUntilCopiesDoNotPay(rows);
    readEvenly(rows, MORE_READS); // a few reads less are to make no difference
    Set<Path> original = rows.files().slow();
    Set<String> onFastOnly = updateRows(rows, node, original);
    updateUntilSomeLeave(onFastOnly, rows, node, original);
    requireFilterOfLargest(rows);
    rows.requireAll("more updates than fast has room for");
    readSomeMore(rows, ROWS - HOT);
  }

  private void readUntilCopiesDoNotPay(TieredRows rows) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              readEvenly(rows, 100);
              return !copiesPay();
            });
  }

  private void readAllAlike(TieredRows rows) {
    assertThat(copiesPay()).as("before anything is known").isTrue();
    readUntilCopiesDoNotPay(rows);
    readEvenly(rows, MORE_READS); // rows that were wanted before are copied up to a second later
    long copied = copiedRows();
    readEvenly(rows, MORE_READS);
    assertThat(copiedRows() - copied).as("seed %d", SEED).isLessThan(MORE_READS / 8);
  }

  /** Only the few that are nearly hot, which would not leave either, go to slow. */
  private static Set<String> updateRows(TieredRows rows, LocalNode node, Set<Path> original) {
    rows.write(0, UPDATES);
    Tiered.flush(node, TABLE);
    Set<String> onFastOnly = new HashSet<>();
    Awaitility.await("no file is merged while it is looked into")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(NodeException.class) // of a file that is gone
        .untilAsserted(
            () -> {
              TableFiles.Keys others = rows.files().settled().keysWithout(original);
              onFastOnly.addAll(TieredRows.ids(0, UPDATES));
              onFastOnly.retainAll(others.fast());
              onFastOnly.removeAll(others.slow());
              assertThat(onFastOnly).hasSizeGreaterThan(UPDATES * 9 / 10);
            });
    return onFastOnly;
  }

  /** What lay on fast only is written to slow where merging has to make room. */
  private void updateUntilSomeLeave(
      Set<String> onFastOnly, TieredRows rows, LocalNode node, Set<Path> original) {
    int from = UPDATES;
    while (Collections.disjoint(onFastOnly, slowKeys(rows, original))) {
      assertThat(from).as("rows that were updated").isLessThan(ROWS - HOT - UPDATES);
      rows.write(from, from + UPDATES);
      Tiered.flush(node, TABLE);
      from += UPDATES;
      readEvenly(rows, 100);
      assertThat(DirectoryUse.of(node.settings().fast()).bytes()).isLessThanOrEqualTo(QUOTA_BYTES);
    }
  }

  private static List<String> slowKeys(TieredRows rows, Set<Path> original) {
    AtomicReference<List<String>> keys = new AtomicReference<>();
    Awaitility.await("no file is merged while it is looked into")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(NodeException.class) // of a file that is gone
        .untilAsserted(() -> keys.set(rows.files().settled().keysWithout(original).slow()));
    return keys.get();
  }

  /** The largest SSTable on fast is of a merge, and that of one shard: all rows are in it. */
  private static void requireFilterOfLargest(TieredRows rows) {
    Awaitility.await("no file is merged while it is looked into")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(NodeException.class) // of a file that is gone
        .untilAsserted(
            () -> {
              Set<Path> others = new HashSet<>(rows.files().settled().fast());
              others.addAll(rows.files().slow());
              Path largest =
                  Collections.max(
                      rows.files().fast(),
                      Comparator.comparingLong(file -> file.toFile().length()));
              others.remove(largest);
              int keys = rows.files().keysWithout(others).fast().size();
              assertThat(filterOf(largest).length()).isGreaterThanOrEqualTo(keys);
            });
  }

  private static File filterOf(Path data) {
    return new File(data.toString().replace("-Data.db", "-Filter.db"));
  }

  private void readSomeMore(TieredRows rows, int from) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              rows.read(from, from + HOT);
              long before = Tiered.viewed(session, TABLE, "reads_slow");
              rows.read(from, from + HOT);
              return Tiered.viewed(session, TABLE, "reads_slow") == before && copiesPay();
            });
  }

  private void forgetHalfWhenOtherRowsAreRead(TieredRows rows, LocalNode node) {
    Awaitility.await("a share of reads that rests")
        .atMost(Duration.ofSeconds(200))
        .during(Duration.ofSeconds(60))
        .until(
            () -> {
              long slow = Tiered.viewed(session, TABLE, "reads_slow");
              for (int round = 0; round < 20; round++) {
                rows.read(0, HOT);
              }
              return Tiered.viewed(session, TABLE, "reads_slow") == slow;
            });
    long before = changes(node);
    double heat = hottest();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              readEvenly(rows, 100);
              return changes(node) > before;
            });
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(hottest()).isBetween(0.45 * heat, 0.6 * heat));
  }

  private static long changes(LocalNode node) {
    return node.log().lines().stream().filter(line -> line.contains(OTHER_ROWS)).count();
  }

  private double hottest() {
    return session
        .execute(
            "SELECT heat FROM kasane_views.hottest_keys"
                + " WHERE keyspace_name = 'k' AND table_name = 'evenly' LIMIT 1")
        .one()
        .getDouble(0);
  }

  private void readEvenly(TieredRows rows, int reads) {
    for (int i = 0; i < reads; i++) {
      int id = random.nextInt(ROWS);
      rows.read(id, id + 1);
    }
  }

  private long copiedRows() {
    return Tiered.viewed(session, TABLE, "copied_rows");
  }

  private boolean copiesPay() {
    return session
        .execute(
            "SELECT copies_pay FROM kasane_views.tables"
                + " WHERE keyspace_name = 'k' AND table_name = 'evenly'")
        .one()
        .getBoolean(0);
  }
}
