/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import io.kasane.arena.ArenaReader.Answer;
import io.kasane.arena.ArenaReader.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads an arena that lies in the memory of another host, from copies of its slots. Says where to
 * copy from, and believes nothing of a copy before all of it is checked.
 *
 * <p>Of a key it remembers in which slot of its set it was found last, in one byte that keys share:
 * whoever is told wrong meets another key there. Thread-safe.
 */
public final class RemoteSlots {
  /** How many bytes of the file's beginning are needed. */
  public static final int HEAD_BYTES = ArenaLayout.STATE_AT + Integer.BYTES;

  /** Where the signs are in the file that its writer lives. */
  public static final long SIGNS_AT = ArenaLayout.HEARTBEAT_AT;

  /** How long they are. */
  public static final int SIGNS_BYTES = HEAD_BYTES - ArenaLayout.HEARTBEAT_AT;

  /** What {@link #offsetOf} says of a key that was not found yet. */
  public static final long UNKNOWN = -1;

  private static final int STATE_IN_SIGNS = ArenaLayout.STATE_AT - ArenaLayout.HEARTBEAT_AT;
  private static final int LEAST_REMEMBERED = 1 << 10;
  private static final int MOST_REMEMBERED = 1 << 22;

  private final ArenaLayout layout;
  private final WriterSigns signs;

  /** One more than the way; 0 where it is not known. */
  private final byte[] ways;

  private RemoteSlots(ArenaLayout layout, WriterSigns signs) {
    this.layout = layout;
    this.signs = signs;
    long slots = layout.sets() * ArenaLayout.WAYS;
    long remembered = Math.max(LEAST_REMEMBERED, Math.min(MOST_REMEMBERED, 2 * slots));
    this.ways = new byte[(int) Long.highestOneBit(remembered)];
  }

  /**
   * An arena whose writer is not believed yet.
   *
   * @param head the file's first {@value #HEAD_BYTES} bytes
   * @param fileBytes how long it is
   * @param askedAtNanos before the head was asked for
   * @throws IllegalArgumentException if it is no arena's
   */
  public static RemoteSlots of(byte[] head, long fileBytes, long askedAtNanos) {
    if (head.length != HEAD_BYTES) {
      throw new IllegalArgumentException("a head of " + head.length + " bytes");
    }
    ByteBuffer bytes = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    ArenaLayout layout = ArenaLayout.read(bytes, fileBytes);
    long beat = bytes.getLong(ArenaLayout.HEARTBEAT_AT);
    return new RemoteSlots(layout, new WriterSigns(beat, askedAtNanos));
  }

  /** How many bytes of a slot are to be copied. */
  public int slotBytes() {
    return layout.slotBytes();
  }

  /** Where in the file a key's slot is likely to begin; {@link #UNKNOWN} if nobody has said. */
  public long offsetOf(ArenaKey key) {
    int way = ways[placeOf(key)] - 1;
    return way < 0
        ? UNKNOWN
        : ArenaLayout.HEAD_BYTES
            + layout.setOf(key.hash()) * layout.setBytes()
            + (long) way * layout.slotBytes();
  }

  private int placeOf(ArenaKey key) {
    return (int) key.check() & (ways.length - 1);
  }

  /** Somebody has found the key, and says where. */
  public void found(ArenaKey key, Answer answer) {
    if (answer.outcome() == Outcome.HIT && answer.way() >= 0 && answer.way() < ArenaLayout.WAYS) {
      ways[placeOf(key)] = (byte) (answer.way() + 1);
    }
  }

  /**
   * Looks whether the writer lives; to be called some twenty times a second.
   *
   * @param copy of {@value #SIGNS_BYTES} bytes from {@link #SIGNS_AT}
   * @param askedAtNanos before it was asked for
   * @return whether it has lived since the look before
   */
  public boolean look(ByteBuffer copy, long askedAtNanos) {
    return signs.saw(beatOf(copy), stateOf(copy), askedAtNanos);
  }

  private static long beatOf(ByteBuffer copy) {
    return copy.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
  }

  private static int stateOf(ByteBuffer copy) {
    return copy.order(ByteOrder.LITTLE_ENDIAN).getInt(STATE_IN_SIGNS);
  }

  /** Whether its writer is believed, by looks so far. */
  public boolean isFresh() {
    return signs.isFresh(System.nanoTime());
  }

  /** The same, and by a copy of its signs that was asked for together with those of slots. */
  public boolean isFresh(ByteBuffer copy) {
    return isFresh() && stateOf(copy) == ArenaLayout.LIVE;
  }

  /**
   * Reads a key's version from a copy of what should be its slot.
   *
   * @param copy of {@link #slotBytes} bytes, which are the answer's from then on
   * @return torn if it was written meanwhile, a miss if it is another key's
   */
  public Answer read(ByteBuffer copy, ArenaKey key) {
    Answer answer = checked(copy.order(ByteOrder.LITTLE_ENDIAN), key);
    if (answer.outcome() == Outcome.MISS) {
      ways[placeOf(key)] = 0;
    }
    return answer;
  }

  private Answer checked(ByteBuffer copy, ArenaKey key) {
    long sequence = copy.getLong(ArenaLayout.SEQUENCE_AT);
    long tail = copy.getLong(layout.slotBytes() - ArenaLayout.TAIL_BYTES);
    if ((sequence & 1) != 0 || tail != sequence) {
      return Answer.TORN;
    }
    long hash = copy.getLong(ArenaLayout.HASH_AT);
    if (hash != key.hash()) {
      return Answer.MISS;
    }
    int keyBytes = copy.getInt(ArenaLayout.KEY_BYTES_AT);
    int bodyBytes = copy.getInt(ArenaLayout.BODY_BYTES_AT);
    if (keyBytes < 0 || bodyBytes < 0 || keyBytes + (long) bodyBytes > layout.roomBytes()) {
      return Answer.TORN;
    }
    ByteBuffer content = copy.slice(ArenaLayout.KEY_AT, keyBytes + bodyBytes);
    int crc =
        SlotChecksum.of(
            sequence,
            hash,
            copy.getLong(ArenaLayout.MICROS_AT),
            copy.getLong(ArenaLayout.CLIENT_AT),
            keyBytes,
            bodyBytes,
            content);
    return crc == copy.getInt(ArenaLayout.CRC_AT)
        ? Slots.answer(content, keyBytes, key, (ways[placeOf(key)] & 0xFF) - 1)
        : Answer.TORN;
  }
}
