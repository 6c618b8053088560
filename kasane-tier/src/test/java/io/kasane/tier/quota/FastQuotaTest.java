/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastQuotaTest {
  private static final FastQuota.Terms NO_TERMS = new FastQuota.Terms(0, 0, Map.of());

  @TempDir private Path disk;
  private final AtomicLong nanos = new AtomicLong();
  private long stepNanos;
  private boolean mounted = true;
  private boolean takesWrites = true;
  private Path table;
  private Path otherTable;

  @BeforeEach
  void makeTables() throws IOException {
    table = Files.createDirectories(disk.resolve("ks/t-1"));
    otherTable = Files.createDirectories(disk.resolve("ks/u-2"));
  }

  private FastQuota quota(long bytes) {
    return new FastQuota(
        List.of(disk),
        OptionalLong.of(bytes),
        () -> nanos.addAndGet(stepNanos),
        path -> mounted,
        path -> takesWrites);
  }

  private static Path file(Path directory, String name, int bytes) throws IOException {
    Files.createDirectories(directory);
    return Files.write(directory.resolve(name), new byte[bytes]);
  }

  private FastQuota.Reservation open(FastQuota quota, Path directory) {
    return quota.open(List.of(directory), OptionalLong.empty(), NO_TERMS);
  }

  private FastQuota.Reservation open(FastQuota quota, FastQuota.Terms terms) {
    return quota.open(List.of(table), OptionalLong.empty(), terms);
  }

  /** The reservation of a compaction that has written some of its output. */
  private static FastQuota.Reservation merging(
      FastQuota quota, Path directory, long mergedBytes, long writtenBytes) {
    FastQuota.Terms terms = new FastQuota.Terms(0, 0, merged(directory, mergedBytes));
    FastQuota.Reservation merge = quota.open(List.of(directory), OptionalLong.empty(), terms);
    assertThat(merge.covers(writtenBytes, 0, 0)).isTrue();
    return merge;
  }

  private static void requireRoomFor(FastQuota.Reservation reservation, long bytes) {
    assertThat(reservation.covers(bytes + 1, 0, 0)).isFalse();
    assertThat(reservation.covers(bytes, 0, 0)).isTrue();
  }

  private static Map<Path, Long> merged(Path directory, long bytes) {
    return Map.of(directory.resolve("nb-1-big-Data.db"), bytes);
  }

  @Test
  void filesOfEveryTableCount() throws IOException {
    file(table, "nb-1-big-Data.db", 600);
    file(otherTable, "nb-1-big-Data.db", 300);
    FastQuota quota = quota(1_000);
    assertThat(quota.usedBytes()).isEqualTo(900);
    assertThat(quota.usedBytes(List.of(table))).isEqualTo(600);
    assertThat(quota.roomBytes(List.of(table), OptionalLong.empty())).isEqualTo(100);
    assertThat(quota.roomBytes(List.of(table), OptionalLong.of(650))).isEqualTo(50);
    assertThat(quota.roomBytes(List.of(table), OptionalLong.of(1))).isZero();
  }

  @Test
  void aSnapshotCountsOnceWithItsFileAndStillWithoutIt() throws IOException {
    Path live = file(table, "nb-1-big-Data.db", 600);
    Path snapshot = Files.createDirectories(table.resolve("snapshots/s"));
    Files.createLink(snapshot.resolve("nb-1-big-Data.db"), live);
    assertThat(quota(1_000).usedBytes()).isEqualTo(600);
    Files.delete(live);
    assertThat(quota(1_000).usedBytes()).isEqualTo(600);
  }

  @Test
  void reservationsOfSeveralWritersNeverPassTheLimit() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation first = open(quota, table);
    FastQuota.Reservation second = open(quota, otherTable);
    assertThat(first.covers(700, 0, 0)).isTrue();
    assertThat(second.covers(400, 0, 0)).isFalse();
    assertThat(second.covers(300, 0, 0)).isTrue();
    assertThat(first.covers(701, 0, 0)).isFalse();
    first.close();
    assertThat(second.covers(1_000, 0, 0)).isTrue();
    assertThat(second.covers(1_001, 0, 0)).isFalse();
  }

  /** Others may have filled the disk since its space was last reckoned with. */
  @Test
  void whatIsReservedAndNotWrittenYetIsNotFreeForOthers() {
    AtomicLong free = new AtomicLong(500_000);
    FastFileStores stores =
        new FastFileStores(List.of(disk), path -> true, path -> true) {
          @Override
          Space space() {
            return new Space(1_000_000, free.get(), free.get(), true);
          }
        };
    FastQuota quota = new FastQuota(stores, OptionalLong.of(900_000), nanos::get);
    FastQuota.Reservation first = open(quota, table);
    assertThat(first.covers(300_000, 0, 0)).isTrue();
    free.set(400_000);
    requireRoomFor(open(quota, otherTable), 400_000 - 50_000 - 300_000);
    assertThat(first.covers(300_001, 0, 200_000)).as("100 KB are left to write").isTrue();
  }

  @Test
  void aReservationGrowsFurtherSoThatNotEachRowAsks() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation reservation = open(quota, table);
    assertThat(reservation.covers(100, 300, 0)).isTrue();
    assertThat(quota.usedBytes()).isEqualTo(400);
    for (int row = 101; row <= 400; row++) {
      assertThat(reservation.covers(row, 300, 0)).isTrue();
    }
    assertThat(quota.usedBytes()).isEqualTo(400);
    assertThat(reservation.covers(900, 300, 0)).isTrue();
    assertThat(quota.usedBytes()).as("it leaves half of what is left").isEqualTo(950);
    assertThat(reservation.covers(1_001, 300, 0)).isFalse();
    assertThat(reservation.covers(1_000, 300, 0)).isTrue();
    assertThat(quota.usedBytes()).isEqualTo(1_000);
  }

  @Test
  void aFileBeingWrittenCountsByItsReservationAndThenByItself() throws IOException {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation reservation = open(quota, table);
    reservation.writes(table.resolve("nb-7-big-").toString());
    assertThat(reservation.covers(800, 0, 0)).isTrue();
    file(table, "nb-7-big-Data.db", 500);
    assertThat(quota.usedBytes()).isEqualTo(800);
    reservation.close();
    assertThat(quota.usedBytes()).isEqualTo(500);
  }

  private FastQuota walkedFor20Millis() {
    FastQuota quota = quota(1_000);
    stepNanos = TimeUnit.MILLISECONDS.toNanos(20);
    assertThat(quota.usedBytes()).isZero();
    stepNanos = 0;
    return quota;
  }

  @Test
  void aLongWalkIsNotRepeatedWheneverAWriterEnds() throws IOException {
    FastQuota quota = walkedFor20Millis();
    FastQuota.Reservation reservation = open(quota, table);
    reservation.writes(table.resolve("nb-7-big-").toString());
    assertThat(reservation.covers(800, 0, 0)).isTrue();
    file(table, "nb-7-big-Data.db", 500);
    reservation.close();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(199));
    assertThat(quota.usedBytes()).isEqualTo(800);
    assertThat(quota.usedBytes(List.of(table))).isEqualTo(800);
    assertThat(quota.usedBytes(List.of(otherTable))).isZero();
    requireRoomFor(open(quota, otherTable), 200);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(quota.usedBytes()).isEqualTo(500 + 200);
    assertThat(quota.usedBytes(List.of(table))).isEqualTo(500);
  }

  @Test
  void aLongWalkIsHardlyRepeatedWhereNothingEnds() throws IOException {
    FastQuota quota = walkedFor20Millis();
    file(table, "nb-7-big-Data.db", 500);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertThat(quota.usedBytes()).isZero();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(quota.usedBytes()).isEqualTo(500);
  }

  @Test
  void roomThatMustStayFreeStaysFree() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(100, 150, Map.of()));
    requireRoomFor(flush, 750);
  }

  @Test
  void roomForCompactionMayBeWhatItMergesItself() {
    FastQuota quota = quota(1_000);
    requireRoomFor(open(quota, new FastQuota.Terms(0, 250, merged(table, 100))), 850);
  }

  @Test
  void roomForCompactionMayBeThatOfOneThatRuns() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation merge = merging(quota, table, 300, 200);
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(100, 250, Map.of()));
    requireRoomFor(flush, 650);
    merge.close();
    assertThat(flush.covers(651, 0, 0)).isFalse();
  }

  @Test
  void roomIsComingWhileWhatWasMergedIsStillRead() throws IOException {
    Path merged = file(table, "nb-1-big-Data.db", 300);
    FastQuota quota = quota(1_000);
    FastQuota.Reservation merge = merging(quota, table, 300, 200);
    assertThat(quota.isRoomComing(List.of(table))).isFalse();
    merge.replacesMerged();
    merge.close();
    assertThat(quota.isRoomComing(List.of(table))).isTrue();
    assertThat(quota.isRoomComing(List.of(otherTable))).isFalse();
    assertThat(quota.usedBytes()).isEqualTo(300);
    Files.delete(merged);
    assertThat(quota.isRoomComing(List.of(table))).isFalse();
    assertThat(quota.usedBytes()).as("measured anew").isZero();
  }

  @Test
  void whatWasMergedComesBackWhenNobodyReadsItAnyMore() throws IOException {
    Path merged = file(table, "nb-1-big-Data.db", 300);
    FastQuota quota = quota(1_000);
    FastQuota.Reservation merge = merging(quota, table, 300, 200);
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(0, 250, Map.of()));
    merge.replacesMerged();
    merge.close();
    file(table, "nb-2-big-Data.db", 200);
    requireRoomFor(flush, 500);
    Files.delete(merged);
    requireRoomFor(flush, 550);
  }

  @Test
  void whatAFailedCompactionMergedStays() throws IOException {
    file(table, "nb-1-big-Data.db", 300);
    FastQuota quota = quota(1_000);
    FastQuota.Reservation merge = open(quota, new FastQuota.Terms(0, 0, merged(table, 300)));
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(0, 250, Map.of()));
    merge.close();
    requireRoomFor(flush, 450);
  }

  @Test
  void whatACompactionBringsUpDoesNotComeBack() {
    FastQuota quota = quota(1_000);
    merging(quota, table, 100, 400);
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(0, 250, Map.of()));
    requireRoomFor(flush, 450);
  }

  @Test
  void theCompactionOfAnotherTableGivesNothingBack() {
    FastQuota quota = quota(1_000);
    merging(quota, otherTable, 300, 200);
    FastQuota.Reservation flush = open(quota, new FastQuota.Terms(0, 250, Map.of()));
    requireRoomFor(flush, 550);
  }

  @Test
  void runningCompactionsSayWhatTheyMayStillWrite() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation merge = open(quota, new FastQuota.Terms(0, 0, merged(table, 300)));
    assertThat(quota.outstandingBytes(List.of(table))).isEqualTo(300);
    assertThat(quota.outstandingBytes(List.of(otherTable))).isZero();
    merge.covers(200, 0, 0);
    assertThat(quota.outstandingBytes(List.of(table))).isEqualTo(100);
    merge.covers(400, 0, 0);
    assertThat(quota.outstandingBytes(List.of(table))).isZero();
  }

  @Test
  void theTablesOwnLimitHolds() {
    FastQuota quota = quota(1_000);
    FastQuota.Reservation reservation = quota.open(List.of(table), OptionalLong.of(400), NO_TERMS);
    requireRoomFor(reservation, 400);
  }

  @Test
  void theDiskBoundsAQuotaThatIsLargerThanIt() {
    FastQuota quota = quota(Long.MAX_VALUE);
    assertThat(quota.limitBytes()).isLessThan(disk.toFile().getTotalSpace());
    assertThat(quota.roomBytes(List.of(table), OptionalLong.empty()))
        .isLessThan(disk.toFile().getUsableSpace());
    assertThat(open(quota, table).covers(Long.MAX_VALUE / 2, 0, 0)).isFalse();
  }

  @Test
  void whatOthersHaveOnTheDiskIsNoRoom() throws IOException {
    long freeBytes = disk.toFile().getUsableSpace();
    FastQuota quota = quota(Long.MAX_VALUE);
    file(table, "nb-1-big-Data.db", 1_000_000);
    assertThat(quota.limitBytes()).isBetween((long) (0.8 * freeBytes), freeBytes + 1_000_000);
    assertThat(quota.roomBytes(List.of(table), OptionalLong.empty()))
        .isLessThan(quota.limitBytes());
    assertThat(quota(freeBytes / 2).limitBytes()).isEqualTo(freeBytes / 2);
  }

  @Test
  void aDiskThatTakesNoWritesKeepsItsLimit() {
    takesWrites = false;
    mounted = false;
    assertThat(quota(1_000).limitBytes()).isEqualTo(1_000);
  }

  @Test
  void aDiskThatIsGoneAdmitsNothing() {
    FastQuota quota = quota(1_000);
    mounted = false;
    assertThat(open(quota, table).covers(1, 0, 0)).isFalse();
    mounted = true;
    takesWrites = false;
    assertThat(open(quota, table).covers(1, 0, 0)).isFalse();
    takesWrites = true;
    assertThat(open(quota, table).covers(1, 0, 0)).isTrue();
  }

  @Test
  void quotaZeroAndNoDiskAdmitNothing() {
    assertThat(open(quota(0), table).covers(1, 0, 0)).isFalse();
    FastQuota none =
        new FastQuota(
            List.of(), OptionalLong.of(1_000), nanos::get, path -> mounted, path -> takesWrites);
    assertThat(none.limitBytes()).isZero();
    assertThat(open(none, table).covers(1, 0, 0)).isFalse();
  }

  @Test
  void outputsLieBesideTheirInputsUntilTheyReplaceThem() {
    FastQuota quota = quota(1_000);
    String output = table.resolve("nb-2-big-").toString();
    FastQuota.Reservation merge = merging(quota, table, 300, 200);
    merge.writes(output);
    assertThat(quota.besideTheirInputs(List.of(table))).containsExactly(output);
    assertThat(quota.besideTheirInputs(List.of(otherTable))).isEmpty();
    merge.replacesMerged();
    assertThat(quota.besideTheirInputs(List.of(table))).isEmpty();
  }

  @Test
  void whatComesFromMemoryLiesBesideNothing() {
    FastQuota quota = quota(1_000);
    try (FastQuota.Reservation flush = open(quota, table)) {
      flush.writes(table.resolve("nb-2-big-").toString());
      assertThat(quota.besideTheirInputs(List.of(table))).isEmpty();
    }
  }
}
