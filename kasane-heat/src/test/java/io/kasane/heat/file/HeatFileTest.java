/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.file;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.heat.track.ExactTwin;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.heat.track.KeyHeat;
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

class HeatFileTest {
  private static final HeatTrackerOptions OPTIONS = new HeatTrackerOptions(500, 1000, 128);

  @TempDir Path directory;
  private Path file;
  private final AtomicLong clock = new AtomicLong();
  private final SplittableRandom random = new SplittableRandom(1);

  @BeforeEach
  void names() {
    file = directory.resolve("t.heat");
  }

  private HeatTracker tracker() {
    return new HeatTracker(OPTIONS, clock::get, random.nextLong());
  }

  private HeatTracker restored() {
    HeatTracker tracker = tracker();
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.restoreInto(tracker);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return tracker;
  }

  private void live(HeatTracker tracker, int accesses) {
    for (int i = 0; i < accesses; i++) {
      long key = (long) (random.nextDouble() * random.nextDouble() * 40) - 3;
      tracker.record(id(key));
      if (i % 9 == 0) {
        tracker.recordSize(id(key), 100 + i);
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
    try (HeatFile log = new HeatFile(directory, "t")) {
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
    try (HeatFile log = new HeatFile(directory, "t")) {
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
    try (HeatFile log = new HeatFile(directory, "t")) {
      live(tracker, 90);
      log.save(tracker);
      live(tracker, 90);
      log.save(tracker);
    }
    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getPosixFilePermissions(directory.resolve("t.heat")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void heatIsSavedWhileTheTrackerChangesItsSize() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatFile log = new HeatFile(directory, "t")) {
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
      tracker.record(id(77));
    }
    clock.addAndGet(1000);
    tracker.advance();
    tracker.record(id(78));
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.save(tracker);
    }
    HotSet set = new WindowPolicy(1).select(restored().snapshot());
    assertThat(set.temperatureOf(id(77))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(78))).isEqualTo(Temperature.HOT);
    assertThat(set.temperatureOf(id(79))).isEqualTo(Temperature.COLD);
  }

  @Test
  void nothingSavedMeansNothingKnown() {
    HeatTracker tracker = restored();
    assertThat(stateOf(tracker)).isEqualTo(NOTHING);
    assertThat(tracker.snapshot().warm()).isFalse();
  }

  @Test
  void foreignFilesAreReplacedByTheNextSave() throws IOException {
    Files.writeString(file, "x".repeat(1000), StandardCharsets.US_ASCII);
    HeatTracker tracker = tracker();
    try (HeatFile log = new HeatFile(directory, "t")) {
      assertThatCode(() -> log.restoreInto(tracker)).doesNotThrowAnyException();
      assertThat(stateOf(tracker)).isEqualTo(NOTHING);
      live(tracker, 50);
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
  }

  /** What is cut off, or lies behind a flipped bit, is lost; nothing is made up. */
  @Test
  void aFlippedBitOrACutCostsHeatAndNothingElse() throws IOException {
    State saved = saves(2).get(1);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] bad = whole.clone();
      bad[i] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bad);
      State state = stateOf(restored());
      assertThat(saved.keys()).as("byte %d", i).containsAllEntriesOf(state.keys());
      Files.write(file, Arrays.copyOf(whole, i));
      assertThat(stateOf(restored())).as("cut at %d", i).isEqualTo(NOTHING);
    }
  }

  /** A key that was lost is not cold for that. */
  @Test
  void whatIsNotRestoredWholeIsNotWarm() throws IOException {
    saves(2);
    byte[] bad = Files.readAllBytes(file);
    bad[HeatFileFormat.HEADER_BYTES + HeatFileFormat.END_BYTES + 3] ^= 1;
    Files.write(file, bad);
    HeatTracker tracker = restored();
    assertThat(tracker.trackedKeys()).isZero();
    clock.addAndGet(1000);
    tracker.advance();
    assertThat(tracker.snapshot().warm()).isFalse();
  }

  @Test
  void nothingComesBackThatWasCleared() throws IOException {
    saves(2);
    HeatTracker tracker = tracker();
    tracker.clear();
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.beginRestore(tracker);
      assertThat(tracker.isRestoring()).isTrue();
      log.save(tracker);
      int before = tracker.clears();
      tracker.clear();
      assertThat(tracker.unlessCleared(before, () -> tracker.record(id(1)))).isFalse();
      log.restoreInto(tracker);
      assertThat(tracker.isRestoring()).isFalse();
    }
    assertThat(tracker.trackedKeys()).as("cleared before").isPositive();
  }

  /** What was written before of a round is written again at the end. */
  @Test
  void theLastSaveHasAllAsItIs() throws IOException {
    int keys = 1_500_000;
    HeatTracker tracker =
        new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(2 * keys), clock::get, 1);
    for (int key = 0; key < keys; key++) {
      tracker.record(id(key));
    }
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.save(tracker);
      assertThat(file).doesNotExist();
      for (int i = 0; i < 5; i++) {
        for (int key = 0; key < 1_000; key++) {
          tracker.record(id(-1 - key));
        }
      }
      log.saveAll(tracker);
    }
    HeatTracker again =
        new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(2 * keys), clock::get, 2);
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.restoreInto(again);
    }
    int found = 0;
    for (int key = 0; key < 1_000; key++) {
      found += again.heatOf(id(-1 - key)) > 0 ? 1 : 0;
    }
    assertThat(found).isGreaterThan(950);
  }

  @Test
  void halfAFileDoesNotCount() throws IOException {
    State saved = saves(2).get(1);
    Files.writeString(directory.resolve("t.heat.new"), "half a file");
    assertThat(stateOf(restored())).isEqualTo(saved);
  }

  @Test
  void anIdleTrackerIsNotWrittenAgain() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatFile log = new HeatFile(directory, "t")) {
      live(tracker, 50);
      log.save(tracker);
      Files.delete(file);
      clock.addAndGet(1000);
      tracker.advance();
      log.save(tracker);
      assertThat(file).doesNotExist();
      tracker.record(id(1));
      log.save(tracker);
      assertThat(file).exists();
    }
  }

  /** Of many keys a save writes some, and the last one of a round makes them count. */
  @Test
  void manyKeysAreSavedALittleAtATime() throws IOException {
    int keys = 2_500_000;
    HeatTracker tracker =
        new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(2 * keys), clock::get, 1);
    for (int key = 0; key < keys; key++) {
      tracker.record(id(key));
    }
    int saves = 0;
    try (HeatFile log = new HeatFile(directory, "t")) {
      while (!Files.exists(file)) {
        tracker.record(id(7));
        log.save(tracker);
        saves++;
        long next = Files.exists(file) ? 0 : Files.size(directory.resolve("t.heat.new"));
        assertThat(next).isLessThan(saves * (HeatFile.SAVE_BYTES + (1 << 20)));
      }
    }
    assertThat(saves).isBetween(3, 4);
    HeatTracker again =
        new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(2 * keys), clock::get, 2);
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.restoreInto(again);
    }
    assertThat(again.trackedKeys()).isCloseTo(tracker.trackedKeys(), within(keys / 100L));
    assertThat(again.heatOf(id(7))).isGreaterThan(1);
  }

  @Test
  void aClearedTrackerStaysClearedOverARestart() throws IOException {
    HeatTracker tracker = tracker();
    try (HeatFile log = new HeatFile(directory, "t")) {
      live(tracker, 50);
      log.save(tracker);
      tracker.clear();
      tracker.record(id(1000));
      log.save(tracker);
    }
    assertThat(stateOf(restored())).isEqualTo(stateOf(tracker));
    assertThat(stateOf(restored()).keys()).containsOnlyKeys(id(1000));
  }

  @Test
  void aFailedSaveIsReportedAndTheNextOneSavesAll() throws IOException {
    Path blocked = directory.resolve("blocked");
    Files.writeString(blocked, "a file where the directory should be");
    HeatTracker tracker = tracker();
    live(tracker, 50);
    State before = stateOf(tracker);
    try (HeatFile log = new HeatFile(blocked, "t")) {
      assertThatThrownBy(() -> log.save(tracker)).isInstanceOf(IOException.class);
      assertThat(stateOf(tracker)).isEqualTo(before);
      Files.delete(blocked);
      log.save(tracker);
      HeatTracker again = tracker();
      try (HeatFile reader = new HeatFile(blocked, "t")) {
        reader.restoreInto(again);
      }
      assertThat(stateOf(again)).isEqualTo(before);
    }
  }

  @Test
  void deleteLeavesNoFiles() throws IOException {
    HeatTracker tracker = tracker();
    live(tracker, 50);
    try (HeatFile log = new HeatFile(directory, "t")) {
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
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(20_000, 1000, 0), clock::get, 1);
    for (int key = 0; key < 10_000; key++) {
      for (int i = 0; i <= key / 1000; i++) {
        tracker.record(id(key));
      }
    }
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.save(tracker);
    }
    HeatTracker small = new HeatTracker(new HeatTrackerOptions(4_000, 1000, 0), clock::get, 1);
    try (HeatFile log = new HeatFile(directory, "t")) {
      log.restoreInto(small);
    }
    assertThat(small.trackedKeys()).isLessThanOrEqualTo(256 * 15);
    int hottest = 0;
    for (int key = 9_000; key < 10_000; key++) {
      hottest += small.heatOf(id(key)) >= 9 ? 1 : 0;
    }
    assertThat(hottest).isGreaterThan(990);
  }

  @Test
  void namesThatLeaveTheDirectoryAreRefused() {
    assertThatThrownBy(() -> new HeatFile(directory, "../t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'../t'");
  }
}
