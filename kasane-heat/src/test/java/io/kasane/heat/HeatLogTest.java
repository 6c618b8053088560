/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.heat.policy.WindowPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatLogTest {
  private static final HeatTrackerOptions OPTIONS = new HeatTrackerOptions(500, 1000, 128);

  @TempDir Path directory;
  private Path snapshotFile;
  private Path logFile;
  private final AtomicLong clock = new AtomicLong();
  private final SplittableRandom random = new SplittableRandom(1);

  @BeforeEach
  void names() {
    snapshotFile = directory.resolve("t.heat");
    logFile = directory.resolve("t.heat.log");
  }

  private HeatTracker tracker() {
    return new HeatTracker(OPTIONS, clock::get, random.nextLong());
  }

  private HeatTracker restored() {
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.restoreInto(tracker);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return tracker;
  }

  private void live(HeatTracker tracker, int accesses) {
    for (int i = 0; i < accesses; i++) {
      long key = (long) (random.nextDouble() * random.nextDouble() * 40) - 3;
      tracker.record(key);
      if (i % 9 == 0) {
        tracker.recordSize(key, 100 + i);
      }
    }
    clock.addAndGet(1000);
    tracker.advance();
  }

  /** All that a policy can see. */
  private static State stateOf(HeatTracker tracker) {
    HeatSnapshot snapshot = tracker.snapshot();
    return new State(
        ExactTwin.byId(snapshot),
        snapshot.totalHeat(),
        snapshot.totalAccesses(),
        snapshot.meanSizeBytes());
  }

  private record State(
      Map<Long, KeyHeat> keys, double totalHeat, long totalAccesses, double meanSizeBytes) {}

  private static final State NOTHING = new State(Map.of(), 0, 0, 0);

  /** Saves several times and returns the state at each save; the first one is the snapshot. */
  private List<State> saves(int count) throws IOException {
    List<State> states = new ArrayList<>();
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      for (int i = 0; i < count; i++) {
        live(tracker, 90);
        log.save(tracker);
        states.add(stateOf(tracker));
      }
    }
    return states;
  }

  @Test
  void restoresExactlyWhatWasSaved() throws IOException {
    List<State> states = saves(8);
    HeatTracker tracker = restored();
    assertThat(stateOf(tracker)).isEqualTo(states.get(7));
    assertThat(tracker.snapshot().warm()).isTrue();
    live(tracker, 100);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.restoreInto(restored());
      log.save(tracker);
      live(tracker, 100);
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  @Test
  void nobodyElseMayReadWhatWasSaved() throws IOException {
    directory = directory.resolve("made");
    Files.createDirectories(directory.getParent());
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      live(tracker, 90);
      log.save(tracker);
      live(tracker, 90);
      log.save(tracker);
    }
    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    for (String file : List.of("t.heat", "t.heat.log")) {
      assertThat(Files.getPosixFilePermissions(directory.resolve(file)))
          .as(file)
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void heatIsSavedWhileTheTrackerChangesItsSize() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      for (int i = 0; i < 8; i++) {
        live(tracker, 90);
        tracker.resize(i % 2 == 0 ? 10_000 : 400);
        log.save(tracker);
      }
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  @Test
  void theWindowSurvivesARestart() throws IOException {
    HeatTracker tracker = tracker();
    for (int i = 0; i < 5; i++) {
      tracker.record(77);
    }
    clock.addAndGet(1000);
    tracker.advance();
    tracker.record(78);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.save(tracker);
    }
    HotSet set = new WindowPolicy(1).select(restored().snapshot());
    assertThat(set.temperatureOf(77)).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(78)).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(79)).isEqualTo(Temperature.COLD);
  }

  @Test
  void nothingSavedMeansNothingKnown() {
    HeatTracker tracker = restored();
    assertThat(stateOf(tracker)).isEqualTo(NOTHING);
    assertThat(tracker.snapshot().warm()).isFalse();
  }

  @Test
  void aLogCutAtAnyByteRestoresTheLastWholeSave() throws IOException {
    List<State> states = saves(5);
    byte[] log = Files.readAllBytes(logFile);
    int reached = 0;
    for (int length = 0; length <= log.length; length++) {
      Files.write(logFile, Arrays.copyOf(log, length));
      State state = stateOf(restored());
      // A save is a frame of keys and a frame that ends it: cut between them, nothing is missing.
      if (!state.equals(states.get(reached))) {
        reached++;
      }
      assertThat(state).as("cut at %d of %d", length, log.length).isEqualTo(states.get(reached));
    }
    assertThat(reached).isEqualTo(4);
  }

  @Test
  void aFlippedBitInTheLogCostsNoMoreThanWhatFollows() throws IOException {
    List<State> states = saves(3);
    byte[] log = Files.readAllBytes(logFile);
    for (int i = 0; i < log.length; i++) {
      byte[] bad = log.clone();
      bad[i] ^= (byte) (1 << random.nextInt(8));
      Files.write(logFile, bad);
      assertThat(states).as("byte %d", i).contains(stateOf(restored()));
    }
  }

  @Test
  void aFlippedBitOrACutInTheSnapshotMeansStartingEmpty() throws IOException {
    saves(2);
    byte[] snapshot = Files.readAllBytes(snapshotFile);
    for (int i = 0; i < snapshot.length; i++) {
      byte[] bad = snapshot.clone();
      bad[i] ^= (byte) (1 << random.nextInt(8));
      Files.write(snapshotFile, bad);
      HeatTracker tracker = restored();
      assertThat(stateOf(tracker)).as("byte %d", i).isEqualTo(NOTHING);
      assertThat(tracker.snapshot().warm()).isFalse();
      Files.write(snapshotFile, Arrays.copyOf(snapshot, i));
      assertThat(stateOf(restored())).as("cut at %d", i).isEqualTo(NOTHING);
    }
  }

  @Test
  void foreignFilesAreReplacedByTheNextSave() throws IOException {
    Files.writeString(snapshotFile, "x".repeat(1000), StandardCharsets.US_ASCII);
    Files.writeString(logFile, "y".repeat(1000), StandardCharsets.US_ASCII);
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      assertThatCode(() -> log.restoreInto(tracker)).doesNotThrowAnyException();
      assertThat(stateOf(tracker)).isEqualTo(NOTHING);
      live(tracker, 50);
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  @Test
  void aLogOfAnotherGenerationIsNotUsed() throws IOException {
    saves(3);
    byte[] oldLog = Files.readAllBytes(logFile);
    HeatTracker tracker = tracker();
    live(tracker, 10);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.restoreInto(tracker());
      log.save(tracker);
    }
    Files.write(logFile, oldLog); // as if killed after the rename, before the new log
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
    Files.delete(logFile);
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
    Files.writeString(directory.resolve("t.heat.new"), "half a snapshot");
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  @Test
  void theLogIsRewrittenWhenItOutgrowsTheSnapshot() throws IOException {
    HeatTracker tracker =
        new HeatTracker(HeatTrackerOptions.defaults().withPeriodMillis(1000), clock::get, 1);
    long biggest = 0;
    try (HeatLog log = new HeatLog(directory, "t")) {
      for (int round = 0; round < 25; round++) {
        for (int key = 0; key < 5000; key++) {
          tracker.record(key);
        }
        live(tracker, 10);
        log.save(tracker);
        biggest = Math.max(biggest, Files.size(logFile));
      }
    }
    assertThat(biggest).isBetween(1L << 20, (1L << 20) + 200_000);
    assertThat(Files.size(logFile)).isLessThan(1L << 20);
    HeatTracker again = new HeatTracker(HeatTrackerOptions.defaults(), clock::get, 2);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.restoreInto(again);
    }
    assertThat(stateOf(again)).isEqualTo(stateOf(tracker));
  }

  @Test
  void anIdleTrackerIsNotWrittenAgain() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      live(tracker, 50);
      log.save(tracker);
      long size = Files.size(logFile);
      clock.addAndGet(1000);
      tracker.advance();
      log.save(tracker);
      assertThat(Files.size(logFile)).isEqualTo(size);
    }
  }

  @Test
  void aClearedTrackerStaysClearedOverARestart() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatLog log = new HeatLog(directory, "t")) {
      live(tracker, 50);
      log.save(tracker);
      tracker.clear();
      tracker.record(1000);
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
    assertThat(stateOf(restored()).keys()).containsOnlyKeys(1000L);
  }

  @Test
  void aFailedSaveIsReportedAndTheNextOneSavesAll() throws IOException {
    Path blocked = directory.resolve("blocked");
    Files.writeString(blocked, "a file where the directory should be");
    HeatTracker tracker = tracker();
    live(tracker, 50);
    State before = stateOf(tracker);
    try (HeatLog log = new HeatLog(blocked, "t")) {
      assertThatThrownBy(() -> log.save(tracker)).isInstanceOf(IOException.class);
      assertThat(stateOf(tracker)).isEqualTo(before);
      Files.delete(blocked);
      log.save(tracker);
      HeatTracker again = tracker();
      try (HeatLog reader = new HeatLog(blocked, "t")) {
        reader.restoreInto(again);
      }
      assertThat(stateOf(again)).isEqualTo(before);
    }
  }

  @Test
  void deleteLeavesNoFiles() throws IOException {
    HeatTracker tracker = tracker();
    live(tracker, 50);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.save(tracker);
      log.delete();
      try (var files = Files.list(directory)) {
        assertThat(files).isEmpty();
      }
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  @Test
  void aSmallerTrackerKeepsTheHottest() throws IOException {
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(1000, 1000, 0), clock::get, 1);
    for (int key = 0; key < 1000; key++) {
      for (int i = 0; i <= key / 100; i++) {
        tracker.record(key);
      }
    }
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.save(tracker);
    }
    HeatTracker small = new HeatTracker(new HeatTrackerOptions(200, 1000, 0), clock::get, 1);
    try (HeatLog log = new HeatLog(directory, "t")) {
      log.restoreInto(small);
    }
    assertThat(small.trackedKeys()).isLessThanOrEqualTo(200);
    assertThat(small.heatOf(999)).isEqualTo(10);
    assertThat(small.heatOf(950)).isEqualTo(10);
  }

  @Test
  void namesThatLeaveTheDirectoryAreRefused() {
    assertThatThrownBy(() -> new HeatLog(directory, "../t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'../t'");
  }
}
