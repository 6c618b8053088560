/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.safety.FaultSweep.Point;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fast disk that breaks or is full in the middle of an operation: clients notice nothing, no row
 * is lost, and once the disk is well rows come to it again. The same for the disk that heat is
 * saved on. {@link FaultSweep} says which requests fail.
 *
 * <p>All operations share one node; where one fails, it is killed and started anew.
 */
@Tag("node")
@Tag("campaign")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultIT {
  /** A run among all tests has one point of an operation: all points are of some operation. */
  private static final boolean IS_SHORT = TestRun.size("kasane.fault.points", 1, 4) == 1;

  private static final List<String> BROKEN_THEN_FULL = List.of("EIO", "ENOSPC");
  private static final List<String> FULL_THEN_BROKEN = List.of("ENOSPC", "EIO");
  private static final int ROWS = 120;
  private static final int HOT = 24;

  /** What is read once is hot for the test's time. */
  private static final String READ_IS_HOT = "'heat_policy': 'window', 'heat_period': '1h'";

  @TempDir private static Path dir;
  private static final List<VersionedRows> tables = new ArrayList<>();
  private static FaultyNode node;
  private static VersionedRows tiered;
  private static VersionedRows cached;
  private static boolean isWell = true;

  @BeforeAll
  static void start() throws IOException {
    node = new FaultyNode(dir);
    node.start();
    node.session()
        .execute(
            "CREATE KEYSPACE k WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    tiered = table("tiered", "'tier_mode': 'tier', " + READ_IS_HOT).write(0, ROWS);
    cached = table("cached", "'tier_mode': 'cache', " + READ_IS_HOT).write(0, ROWS);
  }

  private static VersionedRows table(String name, String options) {
    VersionedRows rows = new VersionedRows(node, name, options);
    tables.add(rows);
    return rows;
  }

  private static VersionedRows inMode(String mode) {
    return mode.equals("cache") ? cached : tiered;
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
  }

  @BeforeEach
  void startAnewAfterAFailure() throws IOException {
    if (!isWell) {
      node.crash();
    }
    isWell = false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tier", "cache"})
  @Order(1)
  void shouldSurviveAFlush(String mode) throws Exception {
    Operation flush = new FlushOfHotRows(node, inMode(mode), HOT);
    failOnFast(mode, "flush", flush, Point.CHECKSUM, Point.LAST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tier", "cache"})
  @Order(2)
  void shouldSurviveACompaction(String mode) throws Exception {
    Operation compaction = new CompactionOnFast(node, inMode(mode), HOT);
    failOnFast(mode, "compaction", compaction, Point.FIRST, Point.MIDDLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tier", "cache"})
  @Order(3)
  void shouldSurviveACopy(String mode) throws Exception {
    Operation copy = new CopyOfReadRows(node, inMode(mode));
    failOnFast(mode, "copy", copy, Point.LAST, Point.CHECKSUM);
  }

  /** A short run has the one point in mode tier and the other in mode cache. */
  private static void failOnFast(
      String mode, String name, Operation operation, Point inTier, Point inCache) throws Exception {
    boolean isCache = mode.equals("cache");
    List<String> errors = isCache ? FULL_THEN_BROKEN : BROKEN_THEN_FULL;
    List<Point> points = points(isCache ? inCache : inTier);
    String full = name + " in mode " + mode;
    new FaultSweep(full, node, node.fastDisk(), FaultyDisk.ALL_FILES, errors, points)
        .run(operation);
    isWell = true;
  }

  private static List<Point> points(Point inShort) {
    return IS_SHORT ? List.of(inShort) : List.of(Point.values());
  }

  @Test
  @Order(4)
  void shouldSurviveASaveOfHeat() throws Exception {
    VersionedRows rows = table("warm", "'heat_period': '1s'").write(0, HOT);
    SaveOfHeat save = new SaveOfHeat(node, rows);
    for (List<String> errors : List.of(BROKEN_THEN_FULL, FULL_THEN_BROKEN)) {
      List<Point> points = points(errors.equals(BROKEN_THEN_FULL) ? Point.MIDDLE : Point.LAST);
      new FaultSweep("save of heat", node, node.heatDisk(), save.files(), errors, points).run(save);
    }
    isWell = true;
  }

  @Test
  @Order(5)
  void shouldSurviveALogOfCopies() throws Exception {
    LogOfCopies log = new LogOfCopies(node, "'tier_mode': 'tier', " + READ_IS_HOT);
    try {
      for (List<String> errors : List.of(BROKEN_THEN_FULL, FULL_THEN_BROKEN)) {
        List<Point> points = points(errors.equals(BROKEN_THEN_FULL) ? Point.FIRST : Point.MIDDLE);
        new FaultSweep("log of copies", node, node.heatDisk(), LogOfCopies.FILES, errors, points)
            .run(log);
      }
    } finally {
      tables.addAll(log.tables());
    }
    isWell = true;
  }

  @Test
  @Order(6)
  void shouldHaveAllRowsAfterACrashOnAFailingDisk() throws Exception {
    tiered.awaitOnFast(0, HOT, "all else");
    cached.awaitOnFast(0, HOT, "all else");
    // The last request of a flush tells its log on fast that it is done: the log on slow knows.
    FaultyDisk.Requests whole = node.fastDisk().count(FaultyDisk.ALL_FILES);
    tiered.write(0, HOT);
    node.flush(tiered.table());
    long last = whole.matched();
    FaultyDisk.Requests broken = node.fastDisk().failFrom(last, FaultyDisk.ALL_FILES, "EIO");
    node.heatDisk().failFrom(1, FaultyDisk.ALL_FILES, "EIO");
    tiered.write(0, HOT);
    node.flush(tiered.table());
    node.requireServing("EIO from the last request of a flush");
    System.out.println(
        "crash: of "
            + last
            + " requests of a flush failed "
            + broken.described().stream().filter(request -> request.endsWith(" failed")).toList());
    cached.write(0, HOT);
    node.flush(cached.table());
    for (VersionedRows rows : List.of(tiered, cached)) {
      rows.write(HOT / 2, ROWS);
    }
    Awaitility.await("the disk fails")
        .atMost(Duration.ofSeconds(30))
        .until(() -> broken.failed() > 0);
    node.crash();
    tables.forEach(rows -> rows.requireAll("a crash"));
    assertThat(tables.stream().filter(rows -> rows.table().equals("warm")))
        .allSatisfy(rows -> assertThat(rows.viewed("tracked_keys")).isPositive());
    tiered.awaitOnFast(0, HOT, "a crash");
    cached.awaitOnFast(0, HOT, "a crash");
    isWell = true;
  }
}
