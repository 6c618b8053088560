/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.rdma.client;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import io.kasane.arena.RemoteSlots;
import io.kasane.rdma.ucx.UcxClient;
import io.kasane.rdma.ucx.UcxClient.Get;
import io.kasane.rdma.wire.MemoryFrames.Memory;
import io.kasane.rdma.wire.MemoryFrames.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Reads an arena's memory on another host, whose processor does nothing for it. What it does not
 * find there is asked for by message, and the answer says where it is. For one thread at a time.
 */
final class MemoryReads {
  /** What a read may copy: the rest is asked for by message. */
  private static final int MAX_BYTES = 4 << 20;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final UcxClient client;
  private final List<Part> parts;
  private final RemoteSlots slots;
  private final LongAdder hits;
  private long lastSignNanos = System.nanoTime();

  /**
   * Over a client.
   *
   * @param memory what the server says of it; without parts if its node has no arena yet
   * @param askedAtNanos before it was asked
   * @param hits counts keys that were found
   * @throws IOException if it is no arena
   */
  MemoryReads(UcxClient client, Memory memory, long askedAtNanos, LongAdder hits)
      throws IOException {
    this.client = client;
    this.parts = memory.parts();
    this.hits = hits;
    try {
      this.slots =
          parts.isEmpty() ? null : RemoteSlots.of(memory.head(), memory.fileBytes(), askedAtNanos);
    } catch (IllegalArgumentException e) {
      throw new IOException("its memory: " + e.getMessage(), e);
    }
    client.openMemory(parts.stream().map(Part::key).toList());
  }

  /** Looks whether the node lives; to be called some twenty times a second. */
  void look(BooleanSupplier isOver) throws IOException {
    if (slots == null) {
      return;
    }
    long asked = System.nanoTime();
    List<ByteBuffer> signs =
        client.read(List.of(get(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES)), isOver);
    if (signs != null && slots.look(signs.get(0), asked)) {
      lastSignNanos = asked;
    }
  }

  /**
   * Reads what it can.
   *
   * @param answers gets those of keys that were found
   */
  void read(List<ArenaKey> keys, Answer[] answers, BooleanSupplier isOver) throws IOException {
    if (slots == null || !slots.isFresh()) {
      return;
    }
    List<Integer> places = new ArrayList<>(keys.size());
    List<Get> gets = new ArrayList<>(keys.size() + 1);
    int most = MAX_BYTES / slots.slotBytes();
    for (int i = 0; i < keys.size() && places.size() < most; i++) {
      long at = slots.offsetOf(keys.get(i));
      if (at != RemoteSlots.UNKNOWN) {
        places.add(i);
        gets.add(get(at, slots.slotBytes()));
      }
    }
    if (places.isEmpty()) {
      return;
    }
    gets.add(get(RemoteSlots.SIGNS_AT, RemoteSlots.SIGNS_BYTES));
    List<ByteBuffer> copies = client.read(gets, isOver);
    if (copies == null || !slots.isFresh(copies.get(places.size()))) {
      return;
    }
    for (int i = 0; i < places.size(); i++) {
      int place = places.get(i);
      Answer answer = slots.read(copies.get(i), keys.get(place));
      if (answer.outcome() == Outcome.HIT) {
        answers[place] = answer;
        hits.increment();
      }
    }
  }

  private Get get(long at, int bytes) throws IOException {
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (at >= part.at() && at + bytes <= part.at() + part.length()) {
        return new Get(i, part.address() + (at - part.at()), bytes);
      }
    }
    throw new IOException("its memory has no bytes at " + at + " of its arena");
  }

  /** An answer has come by message. */
  void heard(ArenaKey key, Answer answer) {
    if (slots != null) {
      slots.found(key, answer);
    }
  }

  /** Whether there was no sign of life in it for long: there may be another arena in its place. */
  boolean isStale() {
    return System.nanoTime() - lastSignNanos > PATIENCE_NANOS;
  }
}
