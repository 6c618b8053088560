/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Reads an arena as another host does: by copies, whose pieces come in any order; where a key is it
 * learns of a reader.
 */
final class CopiedSlots {
  private static final int PIECE_BYTES = 64;

  private final ArenaMemory memory;
  private final RemoteSlots slots;
  private final ArenaReader asked;
  private final SplittableRandom random = new SplittableRandom(6);
  private long hits;

  CopiedSlots(Path file, ArenaReader asked) throws IOException {
    this.memory = ArenaMemory.map(file);
    this.slots = RemoteSlots.of(memory.head(), memory.fileBytes(), System.nanoTime());
    this.asked = asked;
  }

  /** By a thread that reads nothing else. */
  void look() {
    long now = System.nanoTime();
    ByteBuffer signs = ByteBuffer.allocate(RemoteSlots.SIGNS_BYTES);
    memory
        .parts()
        .get(0)
        .bytes()
        .duplicate()
        .get((int) RemoteSlots.SIGNS_AT, signs.array(), 0, RemoteSlots.SIGNS_BYTES);
    boolean unused = slots.look(signs, now);
  }

  Answer get(ArenaKey key) {
    long at = slots.offsetOf(key);
    if (at != RemoteSlots.UNKNOWN && slots.isFresh()) {
      ByteBuffer slot = copy(at, slots.slotBytes());
      ByteBuffer signs = copy(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES);
      Answer answer = slots.read(slot, key);
      if (slots.isFresh(signs) && answer.outcome() == Outcome.HIT) {
        hits++;
        return answer;
      }
    }
    Answer answer = asked.get(key);
    slots.found(key, answer);
    return answer;
  }

  /** How many answers were copies. */
  long hits() {
    return hits;
  }

  ByteBuffer copy(long at, int bytes) {
    ByteBuffer copy = ByteBuffer.allocate(bytes);
    int pieces = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    int first = random.nextInt(pieces);
    for (int i = 0; i < pieces; i++) {
      int from = (first + i) % pieces * PIECE_BYTES;
      copyPiece(at + from, copy, from, Math.min(PIECE_BYTES, bytes - from));
    }
    return copy;
  }

  private void copyPiece(long at, ByteBuffer copy, int to, int bytes) {
    for (ArenaMemory.Part part : memory.parts()) {
      if (at >= part.at() && at + bytes <= part.at() + part.bytes().capacity()) {
        copy.put(to, part.bytes(), (int) (at - part.at()), bytes);
        return;
      }
    }
    throw new IndexOutOfBoundsException("nothing at " + at);
  }

  RemoteSlots slots() {
    return slots;
  }
}
