/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteSlotsTest {
  private static final long SEED = Long.getLong("kasane.seed", 1);
  private static final int IMAGES = Integer.getInteger("kasane.arena.images", 30_000);
  private static final ArenaKey ONE = Arenas.key("one");

  @TempDir private Path dir;
  private ArenaWriter writer;
  private ArenaReader reader;
  private CopiedSlots copied;

  @BeforeEach
  void fill() throws IOException {
    Path file = dir.resolve("arena");
    writer = Arenas.withSets(file, 4);
    for (int i = 0; i < 8; i++) {
      Arenas.fill(writer, "key" + i, i + 1, "value of " + i);
    }
    Arenas.fill(writer, "one", 1, "first");
    reader = Arenas.awake(writer, ArenaReader.open(file, Arenas.TABLE));
    copied = new CopiedSlots(file, reader);
    beat();
    beat();
  }

  @AfterEach
  void end() throws IOException {
    reader.close();
    writer.close();
  }

  private void beat() {
    writer.beat();
    reader.look();
    copied.look();
  }

  /** A test that stands still for a moment, as while classes are loaded, has a silent writer. */
  private Answer answer() {
    Answer answer;
    do {
      beat();
      answer = copied.get(ONE);
    } while (answer.outcome() == Outcome.SILENT);
    return answer;
  }

  @Test
  void whatWasFoundOnceIsCopiedFromThenOn() {
    assertThat(copied.slots().offsetOf(ONE)).isEqualTo(RemoteSlots.UNKNOWN);
    assertThat(Arenas.text(answer())).isEqualTo("first");
    assertThat(copied.hits()).isZero();
    assertThat(Arenas.text(answer())).isEqualTo("first");
    assertThat(copied.hits()).isOne();
    writer.update(ONE, new ArenaVersion(2, 0, Arenas.body("second")));
    assertThat(Arenas.text(answer())).isEqualTo("second");
    assertThat(copied.hits()).isEqualTo(2);
  }

  @Test
  void aKeyWhoseSlotWasTakenIsAskedForAgain() {
    answer();
    writer.evict(ONE);
    assertThat(answer().outcome()).isEqualTo(Outcome.MISS);
    assertThat(copied.slots().offsetOf(ONE)).isEqualTo(RemoteSlots.UNKNOWN);
    Arenas.fill(writer, "one", 3, "third");
    answer();
    assertThat(Arenas.text(answer())).isEqualTo("third");
    assertThat(copied.hits()).isOne();
  }

  @Test
  void nothingIsBelievedOfAWriterWithoutSignsOfLife() throws InterruptedException {
    copied.get(ONE);
    assertThat(copied.slots().isFresh()).isTrue();
    long silent = System.nanoTime();
    while (copied.slots().isFresh()) {
      assertThat(System.nanoTime() - silent).isLessThan(10 * ArenaReader.MAX_SILENCE_NANOS);
      copied.look();
      Thread.onSpinWait();
    }
    beat();
    assertThat(copied.slots().isFresh()).isTrue();
    writer.end();
    ByteBuffer signs = copied.copy(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES);
    assertThat(copied.slots().isFresh(signs)).as("by what was copied with a slot").isFalse();
    beat();
    assertThat(copied.slots().isFresh()).isFalse();
  }

  /** It lived when it beat, and not when somebody saw that. */
  @Test
  void aBeatThatIsSeenLateIsAsOldAsTheLookBefore() throws IOException {
    ArenaMemory memory = ArenaMemory.map(dir.resolve("arena"));
    long before = System.nanoTime() - 2 * ArenaReader.MAX_SILENCE_NANOS;
    RemoteSlots slots = RemoteSlots.of(memory.head(), memory.fileBytes(), before);
    writer.beat();
    boolean unused =
        slots.look(copied.copy(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES), System.nanoTime());
    assertThat(slots.isFresh()).isFalse();
    writer.beat();
    assertThat(
            slots.look(
                copied.copy(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES), System.nanoTime()))
        .isTrue();
    assertThat(slots.isFresh()).isTrue();
  }

  @Test
  void noCopyIsTakenForWhatWasNotWritten() {
    answer();
    byte[] right = new byte[copied.slots().slotBytes()];
    copied.copy(copied.slots().offsetOf(ONE), right.length).get(0, right);
    SplittableRandom random = new SplittableRandom(SEED);
    int hits = 0;
    for (int image = 0; image < IMAGES; image++) {
      byte[] wrong = right.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        if (random.nextBoolean()) {
          wrong[random.nextInt(wrong.length)] = (byte) random.nextInt();
        } else {
          ByteBuffer.wrap(wrong).putInt(random.nextInt(11) * Integer.BYTES, random.nextInt());
        }
      }
      Answer answer = copied.slots().read(ByteBuffer.wrap(wrong), ONE);
      if (answer.outcome() == Outcome.HIT) {
        assertThat(Arenas.text(answer)).as("seed %d, image %d", SEED, image).isEqualTo("first");
        hits++;
      }
    }
    assertThat(hits).as("the images are not all beyond recognition").isPositive();
  }

  @Test
  void whatIsNoHeadIsRefused() throws IOException {
    ArenaMemory memory = ArenaMemory.map(dir.resolve("arena"));
    byte[] head = memory.head();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RemoteSlots.of(new byte[3], memory.fileBytes(), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RemoteSlots.of(head, memory.fileBytes() + 1, 0));
    head[20]++;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RemoteSlots.of(head, memory.fileBytes(), 0))
        .withMessageContaining("damaged");
  }
}
