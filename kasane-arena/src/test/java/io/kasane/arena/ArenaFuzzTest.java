/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.arena.ArenaReader.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever can write the file can make reads fail, and nothing else. */
class ArenaFuzzTest {
  private static final int IMAGES = Integer.getInteger("kasane.arena.images", 30_000);
  private static final long SEED = Long.getLong("kasane.seed", 1);
  private static final int SETS = 2;
  private static final int KEYS = 12;

  @TempDir private Path dir;

  @Test
  void noImageMakesAReaderAnswerWithWhatWasNotWritten() throws IOException {
    Path file = dir.resolve("arena");
    SplittableRandom random = new SplittableRandom(SEED);
    try (ArenaWriter writer = Arenas.withSets(file, SETS);
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (int i = 0; i < KEYS; i++) {
        Arenas.fill(writer, "key" + i, i + 1, "value of " + i);
      }
      ArenaReader reader = Arenas.awake(writer, ArenaReader.open(file, Arenas.TABLE));
      MappedByteBuffer image = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
      byte[] right = new byte[image.capacity() - ArenaLayout.HEAD_BYTES];
      image.get(ArenaLayout.HEAD_BYTES, right);
      int hits = 0;
      for (int number = 0; number < IMAGES; number++) {
        corrupt(image, right, random);
        if (number % 500 == 0) {
          Arenas.awake(writer, reader);
        }
        for (int i = 0; i < KEYS; i++) {
          ArenaReader.Answer answer = reader.get(Arenas.key("key" + i));
          if (answer.outcome() == Outcome.HIT) {
            assertThat(Arenas.text(answer))
                .as("seed %d, image %d", SEED, number)
                .isEqualTo("value of " + i);
            hits++;
          }
        }
        image.put(ArenaLayout.HEAD_BYTES, right);
      }
      assertThat(hits).as("the images are not all beyond recognition").isPositive();
      Arenas.awake(writer, reader);
      assertThat(Arenas.text(reader.get(Arenas.key("key0")))).isEqualTo("value of 0");
    }
  }

  /** A few bytes, a number that says a length or place, or a part of a slot in another one. */
  private static void corrupt(MappedByteBuffer image, byte[] right, SplittableRandom random) {
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int slot = random.nextInt(right.length / Arenas.SLOT_BYTES) * Arenas.SLOT_BYTES;
      int at = ArenaLayout.HEAD_BYTES + slot;
      switch (random.nextInt(4)) {
        case 0 -> image.put(at + random.nextInt(Arenas.SLOT_BYTES), (byte) random.nextInt());
        case 1 -> image.putInt(at + random.nextInt(11) * Integer.BYTES, random.nextInt());
        case 2 -> image.putInt(at + ArenaLayout.KEY_BYTES_AT, random.nextInt(300));
        default -> {
          int from = random.nextInt(right.length / Arenas.SLOT_BYTES) * Arenas.SLOT_BYTES;
          int part = 8 * (1 + random.nextInt(Arenas.SLOT_BYTES / 8));
          image.put(at, right, from, part);
        }
      }
    }
  }

  @Test
  void noHeadMakesAReaderFailInAnotherWay() throws IOException {
    Path file = dir.resolve("arena");
    SplittableRandom random = new SplittableRandom(SEED);
    Arenas.withSets(file, SETS);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer right = ByteBuffer.allocate(ArenaLayout.HEAD_CRC_AT + Integer.BYTES);
      channel.read(right, 0);
      for (int number = 0; number < IMAGES / 10; number++) {
        ByteBuffer wrong = ByteBuffer.wrap(right.array().clone());
        for (int i = random.nextInt(3); i >= 0; i--) {
          wrong.put(random.nextInt(wrong.capacity()), (byte) random.nextInt());
        }
        if (random.nextBoolean()) { // by whoever knows what the checksum is of
          wrong.order(ByteOrder.LITTLE_ENDIAN);
          wrong.putInt(
              ArenaLayout.HEAD_CRC_AT,
              ArenaLayout.checksum(wrong.duplicate().position(0).limit(ArenaLayout.HEAD_CRC_AT)));
        }
        channel.write(wrong.duplicate().position(0), 0);
        try {
          ArenaReader reader = ArenaReader.open(file, Arenas.TABLE);
          reader.look();
          assertThat(reader.get(Arenas.key("key0")).outcome()).isNotEqualTo(Outcome.HIT);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining(file.toString());
        }
      }
    }
  }
}
