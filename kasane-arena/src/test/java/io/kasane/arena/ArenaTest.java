/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static io.kasane.arena.Arenas.body;
import static io.kasane.arena.Arenas.fill;
import static io.kasane.arena.Arenas.key;
import static io.kasane.arena.Arenas.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.arena.ArenaReader.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArenaTest {
  @TempDir private Path dir;
  private Path file;
  private ArenaWriter writer;
  private ArenaReader reader;

  @BeforeEach
  void create() throws IOException {
    file = dir.resolve("k.t.arena");
    writer = Arenas.withSets(file, 4);
    reader = Arenas.awake(writer, ArenaReader.open(file, Arenas.TABLE));
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
  }

  private String read(String key) {
    return text(reader.get(key(key)));
  }

  @Test
  void whatWasFilledIsRead() {
    assertThat(read("a")).isEqualTo("MISS");
    assertThat(fill(writer, "a", 1, "one")).isTrue();
    assertThat(read("a")).isEqualTo("one");
    assertThat(read("b")).isEqualTo("MISS");
    assertThat(writer.keys()).isEqualTo(1);
    assertThat(writer.slots()).isEqualTo(32);
  }

  @Test
  void aPartitionAndAnItemAreNotConfused() {
    ByteBuffer none = ByteBuffer.allocate(0);
    ArenaKey whole = ArenaKey.of(body("ab"), none);
    ArenaKey split = ArenaKey.of(body("a"), body("b"));
    assertThat(whole).isNotEqualTo(split);
    writer.fill(whole, 0, new ArenaVersion(1, 0, body("whole")), writer.ticket(whole));
    assertThat(reader.get(split).outcome()).isEqualTo(Outcome.MISS);
    assertThat(text(reader.get(whole))).isEqualTo("whole");
  }

  @Test
  void aWriteUpdatesASlotAndNeverMakesOne() {
    writer.update(key("a"), new ArenaVersion(1, 0, body("one")));
    assertThat(read("a")).isEqualTo("MISS");
    fill(writer, "a", 1, "one");
    writer.update(key("a"), new ArenaVersion(3, 0, body("three")));
    writer.update(key("a"), new ArenaVersion(2, 9, body("two")));
    assertThat(read("a"))
        .as("of two writes the later one, whoever reports last")
        .isEqualTo("three");
    writer.update(key("a"), new ArenaVersion(3, -1, body("three by another")));
    assertThat(read("a")).as("clients are compared unsigned").isEqualTo("three by another");
    writer.update(key("a"), new ArenaVersion(3, 5, body("three by one before")));
    assertThat(read("a")).isEqualTo("three by another");
  }

  @Test
  void aFillIsTooLateWhenItsKeyWasWritten() {
    long ticket = writer.ticket(key("a"));
    writer.update(key("a"), new ArenaVersion(2, 0, body("two")));
    assertThat(writer.fill(key("a"), 0, new ArenaVersion(1, 0, body("one")), ticket)).isFalse();
    assertThat(read("a")).isEqualTo("MISS");
    ticket = writer.ticket(key("a"));
    writer.evict(key("a"));
    assertThat(writer.fill(key("a"), 0, new ArenaVersion(1, 0, body("one")), ticket)).isFalse();
    ticket = writer.ticket(key("a"));
    writer.evictTokens(token -> false);
    assertThat(writer.fill(key("a"), 0, new ArenaVersion(1, 0, body("one")), ticket)).isFalse();
    writer.takeFills(false);
    assertThat(fill(writer, "a", 1, "one")).isFalse();
    writer.takeFills(true);
    assertThat(fill(writer, "a", 1, "one")).isTrue();
    assertThat(writer.statistics().lateFills()).isEqualTo(4);
  }

  @Test
  void whatIsEvictedIsAMiss() {
    fill(writer, "a", 1, "one");
    writer.evict(key("a"));
    assertThat(read("a")).isEqualTo("MISS");
    for (int i = 0; i < 10; i++) {
      writer.fill(key("k" + i), i, new ArenaVersion(1, 0, body("v")), writer.ticket(key("k" + i)));
    }
    writer.evictTokens(token -> token < 5);
    for (int i = 0; i < 10; i++) {
      assertThat(read("k" + i)).isEqualTo(i < 5 ? "MISS" : "v");
    }
    writer.clear();
    assertThat(writer.keys()).isZero();
    assertThat(read("k7")).isEqualTo("MISS");
  }

  @Test
  void whatIsTooLargeHasNoSlot() {
    String large = "x".repeat(Arenas.SLOT_BYTES);
    assertThat(fill(writer, "a", 1, large)).isFalse();
    fill(writer, "a", 1, "one");
    writer.update(key("a"), new ArenaVersion(2, 0, body(large)));
    assertThat(read("a")).as("an old version must not stay").isEqualTo("MISS");
    String most = "x".repeat(Arenas.SLOT_BYTES - 44 - 8 - key("a").length());
    assertThat(fill(writer, "a", 3, most)).isTrue();
    assertThat(read("a")).isEqualTo(most);
    assertThat(fill(writer, "b", 3, most + "x")).isFalse();
  }

  @Test
  void ofAFullSetTheKeyThatIsReadMostStays() throws IOException {
    try (ArenaWriter small = Arenas.withSets(dir.resolve("small"), 1)) {
      for (int i = 0; i < ArenaLayout.WAYS; i++) {
        for (int read = 0; read < 10 + i; read++) {
          small.noteRead(key("k" + i));
        }
        assertThat(fill(small, "k" + i, 1, "v")).isTrue();
      }
      assertThat(small.noteRead(key("k3"))).as("it has a slot").isFalse();
      assertThat(small.noteRead(key("new"))).as("it was read once").isFalse();
      assertThat(fill(small, "new", 1, "v")).isFalse();
      boolean isWorthIt = false;
      for (int read = 0; read < 20; read++) {
        isWorthIt = small.noteRead(key("new"));
      }
      assertThat(isWorthIt).isTrue();
      assertThat(fill(small, "new", 1, "v")).isTrue();
      assertThat(small.keysByReads())
          .hasSize(ArenaLayout.WAYS)
          .startsWith(key("k3"))
          .doesNotContain(key("k0"));
      assertThat(small.keysByReads().get(0).partition()).isEqualTo(body("k3"));
      assertThat(fill(small, "k0", 1, "v")).as("it gave way").isFalse();
      assertThat(small.statistics().evictions()).isEqualTo(1);
      assertThat(small.statistics().declined()).isEqualTo(2);
    }
  }

  @Test
  void aSilentWriterIsNotBelieved() {
    fill(writer, "a", 1, "one");
    assertThat(read("a")).isEqualTo("one");
    LockSupport.parkNanos(ArenaReader.MAX_SILENCE_NANOS + TimeUnit.MILLISECONDS.toNanos(50));
    assertThat(read("a")).isEqualTo("SILENT");
    writer.beat();
    reader.look();
    assertThat(read("a")).as("the sign may be as old as the last look").isEqualTo("SILENT");
    writer.beat();
    reader.look();
    assertThat(read("a")).isEqualTo("one");
  }

  @Test
  void nobodyReadsWhatIsNotReady() throws IOException {
    Path other = dir.resolve("other");
    try (ArenaWriter unready = Arenas.withSets(other, 1)) {
      fill(unready, "a", 1, "one");
      ArenaReader early = ArenaReader.open(other, Arenas.TABLE);
      early.look();
      assertThat(text(early.get(key("a")))).isEqualTo("SILENT");
      Arenas.awake(unready, early);
      assertThat(text(early.get(key("a")))).isEqualTo("one");
      unready.rest();
      assertThat(text(early.get(key("a")))).as("at once").isEqualTo("SILENT");
    }
  }

  @Test
  void whatHasEndedIsNotReadWhoeverBeats() {
    fill(writer, "a", 1, "one");
    writer.end();
    assertThat(read("a")).as("at once").isEqualTo("SILENT");
    Arenas.awake(writer, reader);
    writer.rest();
    Arenas.awake(writer, reader);
    assertThat(read("a")).isEqualTo("SILENT");
    assertThat(reader.isDead()).isTrue();
  }

  @Test
  void aNewArenaTakesTheOldOnesPlace() throws IOException {
    fill(writer, "a", 1, "one");
    try (ArenaWriter next = Arenas.withSets(file, 2)) {
      reader.look();
      assertThat(reader.isDead()).isTrue();
      assertThat(read("a")).isEqualTo("SILENT");
      writer.beat(); // by a process that does not know that it has been replaced
      reader.look();
      assertThat(read("a")).as("once dead, always dead").isEqualTo("SILENT");
      ArenaReader second = Arenas.awake(next, ArenaReader.open(file, Arenas.TABLE));
      assertThat(text(second.get(key("a")))).isEqualTo("MISS");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void whatIsMarkedAsDeadIsNotOpened() throws IOException {
    Path copy = Files.copy(file, dir.resolve("copy"));
    try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {ArenaLayout.DEAD}), ArenaLayout.STATE_AT);
    }
    assertThatThrownBy(() -> ArenaReader.open(copy, Arenas.TABLE))
        .hasMessageContaining("its node has ended");
  }

  @Test
  void aFileHasItsPermissionsAndNoOther() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(dir.resolve("k.t.arena.new")).doesNotExist();
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    assertThatThrownBy(() -> ArenaReader.open(link, Arenas.TABLE)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsNoArenaIsRefused() throws IOException {
    Path other = Files.writeString(dir.resolve("other"), "nothing");
    assertThatThrownBy(() -> ArenaReader.open(other, Arenas.TABLE))
        .hasMessageContaining("no arena");
    assertThatThrownBy(() -> ArenaReader.open(file, new UUID(7, 7)))
        .hasMessageContaining("it is of table");
    byte[] bytes = Files.readAllBytes(file);
    bytes[20]++;
    Files.write(other, bytes);
    assertThatThrownBy(() -> ArenaReader.open(other, Arenas.TABLE)).hasMessageContaining("damaged");
    bytes[20]--;
    Files.write(other, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> ArenaReader.open(other, Arenas.TABLE))
        .hasMessageContaining("its head says");
  }

  /** The JVM may tell of it later than where it happens. */
  @Test
  void aFileThatBecomesShorterIsNoCrash() throws Exception {
    Path other = dir.resolve("other");
    ArenaWriter shortened = Arenas.withSets(other, 4);
    fill(shortened, "a", 1, "one");
    ArenaReader victim = Arenas.awake(shortened, ArenaReader.open(other, Arenas.TABLE));
    try (FileChannel channel = FileChannel.open(other, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    AtomicInteger hits = new AtomicInteger();
    for (int tries = 0; tries < 3; tries++) {
      Thread reading = new Thread(() -> readOften(victim, hits));
      reading.setUncaughtExceptionHandler(
          (in, thrown) -> assertThat(thrown).isInstanceOf(InternalError.class));
      reading.start();
      reading.join();
    }
    assertThat(hits).hasValue(0);
    victim.look();
    assertThat(victim.isDead()).isTrue();
    assertThat(victim.get(key("a")).outcome()).isEqualTo(Outcome.SILENT);
  }

  private static void readOften(ArenaReader victim, AtomicInteger hits) {
    for (int i = 0; i < 100; i++) {
      if (victim.get(key("a")).outcome() == Outcome.HIT) {
        hits.incrementAndGet();
      }
    }
  }

  @Test
  void readsOfWhatNoSlotCanHoldWantNoFill() {
    ArenaKey key = key("a");
    assertThat(writer.noteRead(key)).isTrue();
    writer.noteUnfit(key, writer.ticket(key));
    assertThat(writer.noteRead(key)).as("nothing is stored").isFalse();
    writer.update(key, new ArenaVersion(1, 0, body("one")));
    assertThat(writer.noteRead(key)).as("something was written").isTrue();
    String large = "x".repeat(100_000);
    writer.fill(key, 0, new ArenaVersion(1, 0, body(large)), writer.ticket(key));
    assertThat(writer.noteRead(key)).as("too large").isFalse();
    writer.clear();
    assertThat(writer.noteRead(key)).as("nobody knows what came with files").isTrue();
    long before = writer.ticket(key);
    writer.update(key, new ArenaVersion(2, 0, body("two")));
    writer.noteUnfit(key, before);
    assertThat(writer.noteRead(key)).as("written while it was looked for").isTrue();
  }

  /** A read that a former replica was asked for, or a fill that has waited for long. */
  @Test
  void whatIsNotOwnedLosesItsSlotAndGetsNone() {
    for (int token = 0; token < 4; token++) {
      ArenaKey key = key("k" + token);
      writer.fill(key, token, new ArenaVersion(1, 0, body("old")), writer.ticket(key));
    }
    writer.own(token -> token >= 2);
    assertThat(read("k1")).isEqualTo("MISS");
    assertThat(read("k2")).isEqualTo("old");
    ArenaKey lost = key("k1");
    assertThat(writer.fill(lost, 1, new ArenaVersion(1, 0, body("old")), writer.ticket(lost)))
        .isFalse();
    assertThat(read("k1")).isEqualTo("MISS");
  }
}
