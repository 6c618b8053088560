/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Reads an arena that another process writes, without asking it. Whatever is in the file, a read is
 * within its bounds and answers with what was written whole, or with nothing. Thread-safe.
 */
public final class ArenaReader implements AutoCloseable {
  /** How long the writer may be silent before nothing of it is believed. */
  public static final long MAX_SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final int TRIES = 4;

  /** How a read of a key went. */
  public enum Outcome {
    /** The key's version. */
    HIT,
    /** The key has no slot: nobody knows whether it is there. */
    MISS,
    /** Its slot was being written all the time, or is damaged. */
    TORN,
    /** The writer is silent, or has gone. */
    SILENT
  }

  /**
   * What was read.
   *
   * @param body of the key's version, which is nobody else's; null unless it is a hit
   * @param way which of its set's slots a hit was in; {@link #NO_WAY} where that is not known
   */
  public record Answer(Outcome outcome, ByteBuffer body, int way) {
    /** In none, or in one that nobody knows. */
    public static final int NO_WAY = -1;

    static final Answer MISS = new Answer(Outcome.MISS, null);
    static final Answer TORN = new Answer(Outcome.TORN, null);
    private static final Answer SILENT = new Answer(Outcome.SILENT, null);

    /** One of no slot that is known. */
    public Answer(Outcome outcome, ByteBuffer body) {
      this(outcome, body, NO_WAY);
    }
  }

  private final FileChannel file;
  private final ArenaLayout layout;
  private final Segments segments;
  private final boolean checks;
  private final WriterSigns signs;

  private ArenaReader(FileChannel file, ArenaLayout layout, Segments segments, boolean checks) {
    this.file = file;
    this.layout = layout;
    this.segments = segments;
    this.checks = checks;
    this.signs = new WriterSigns(beat(), System.nanoTime());
  }

  /**
   * Opens that of a table; answers are {@link Outcome#SILENT} until {@link #look} has seen that its
   * writer lives.
   *
   * @param table the table's identity
   * @throws IOException if it cannot be read, is none, is another table's, or its writer has ended
   */
  public static ArenaReader open(Path file, UUID table) throws IOException {
    return open(file, table, true);
  }

  /** The same of whichever table it is: see {@link #isOf}. */
  public static ArenaReader openAny(Path file) throws IOException {
    return open(file, table -> true, true);
  }

  /**
   * The same for tests.
   *
   * @param checks whether slots are checked by their checksums, too
   */
  static ArenaReader open(Path file, UUID table, boolean checks) throws IOException {
    return open(file, table::equals, checks);
  }

  private static ArenaReader open(Path file, Predicate<UUID> isWanted, boolean checks)
      throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try {
      ByteBuffer head = ArenaLayout.headOf(channel);
      ArenaLayout layout = ArenaLayout.read(head, channel.size());
      if (!isWanted.test(layout.table())) {
        throw new IllegalArgumentException("it is of table " + layout.table());
      }
      if (head.getInt(ArenaLayout.STATE_AT) == ArenaLayout.DEAD) {
        throw new IllegalArgumentException("its node has ended");
      }
      Segments segments = Segments.map(channel, FileChannel.MapMode.READ_ONLY, layout);
      return new ArenaReader(channel, layout, segments, checks);
    } catch (IllegalArgumentException e) {
      channel.close();
      throw new IOException(file + ": " + e.getMessage(), e);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /** Whether it is of the table of that identity. */
  public boolean isOf(UUID table) {
    return layout.table().equals(table);
  }

  /** Whether its writer will never write again: there may be another arena in its place. */
  public boolean isDead() {
    return signs.isDead();
  }

  /**
   * Looks whether the writer lives. To be called some twenty times a second: what it has written is
   * believed for {@link #MAX_SILENCE_NANOS} after the last look that did not show its latest sign
   * yet.
   */
  public synchronized void look() {
    long now = System.nanoTime();
    try {
      if (file.size() < layout.fileBytes()) { // who reads there gets a signal
        close();
        return;
      }
      int state = state();
      boolean unused = signs.saw(beat(), state, now);
    } catch (IOException | InternalError e) {
      close();
    }
  }

  private int state() {
    return Segments.getIntAcquire(segments.head(), ArenaLayout.STATE_AT);
  }

  private long beat() {
    return Segments.getAcquire(segments.head(), ArenaLayout.HEARTBEAT_AT);
  }

  private boolean isFresh() {
    return signs.isFresh(System.nanoTime()) && state() == ArenaLayout.LIVE;
  }

  /** Reads nothing any more. */
  @Override
  public void close() {
    signs.end();
    try {
      file.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }

  /** Reads a key's version. */
  public Answer get(ArenaKey key) {
    try {
      if (!isFresh()) {
        return Answer.SILENT;
      }
      Answer answer = Answer.TORN;
      for (int i = 0; i < TRIES && answer.outcome() == Outcome.TORN; i++) {
        answer = tryGet(key);
      }
      // This thread may have been held up since, for longer than a writer may be silent.
      return isFresh() ? answer : Answer.SILENT;
    } catch (InternalError e) {
      close();
      return Answer.SILENT;
    }
  }

  private Answer tryGet(ArenaKey key) {
    long set = layout.setOf(key.hash());
    ByteBuffer mapping = segments.mappingOf(set);
    Answer found = Answer.MISS;
    for (int way = 0; way < ArenaLayout.WAYS; way++) {
      int at = segments.slotAt(set, way);
      long sequence = Segments.getAcquire(mapping, at);
      if (mapping.getLong(at + ArenaLayout.HASH_AT) == key.hash()) {
        Answer answer = read(mapping, at, sequence, key, way);
        if (answer.outcome() == Outcome.HIT) {
          return answer;
        }
        if (answer.outcome() == Outcome.TORN) {
          found = answer;
        }
      }
    }
    return found;
  }

  /** Copies first, and believes nothing of the copy before all of it is checked. */
  private Answer read(ByteBuffer mapping, int at, long sequence, ArenaKey key, int way) {
    if ((sequence & 1) != 0) {
      return Answer.TORN;
    }
    long micros = mapping.getLong(at + ArenaLayout.MICROS_AT);
    long client = mapping.getLong(at + ArenaLayout.CLIENT_AT);
    int keyBytes = mapping.getInt(at + ArenaLayout.KEY_BYTES_AT);
    int bodyBytes = mapping.getInt(at + ArenaLayout.BODY_BYTES_AT);
    int crc = mapping.getInt(at + ArenaLayout.CRC_AT);
    if (keyBytes < 0 || bodyBytes < 0 || keyBytes + (long) bodyBytes > layout.roomBytes()) {
      return Answer.TORN;
    }
    byte[] content = new byte[keyBytes + bodyBytes];
    mapping.get(at + ArenaLayout.KEY_AT, content);
    VarHandle.loadLoadFence();
    long tail = Segments.getAcquire(mapping, at + layout.slotBytes() - ArenaLayout.TAIL_BYTES);
    if (tail != sequence || Segments.getAcquire(mapping, at) != sequence) {
      return Answer.TORN;
    }
    ByteBuffer copy = ByteBuffer.wrap(content);
    if (checks
        && SlotChecksum.of(sequence, key.hash(), micros, client, keyBytes, bodyBytes, copy)
            != crc) {
      return Answer.TORN;
    }
    return Slots.answer(copy, keyBytes, key, way);
  }
}
