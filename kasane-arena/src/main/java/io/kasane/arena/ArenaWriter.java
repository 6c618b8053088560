/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;

/**
 * Writes an arena. What is in a slot is never older than what {@link #update} was told of its key,
 * whatever is filled and evicted at the same time. Nothing is read from the file, which others may
 * have written. Thread-safe.
 */
public final class ArenaWriter implements AutoCloseable {
  /**
   * About what a slot takes of the writer's heap: its key, its place among versions, its token, and
   * its part of what is counted.
   */
  public static final int HEAP_BYTES_PER_SLOT = 192;

  private static final ArenaVersion NO_VERSION = new ArenaVersion(0, 0, ByteBuffer.allocate(0));
  private static final int STRIPES = 1_024;
  private static final int PIECE_BYTES = 1 << 20;

  /** What a read of a key that has a slot counts for: clients let one in so many be seen. */
  private static final int READS_BEHIND_ONE = 400;

  /** Locks the sets whose number it is, modulo the number of stripes. */
  private static final class Stripe {
    /** Grows with each change that the storage has been told of. */
    long changes;

    /** Of the last slot that was written: even. */
    long sequence;
  }

  /** What an arena has done, since it was made. */
  public record Statistics(
      long updates, long fills, long lateFills, long declined, long evictions, long tooLarge) {}

  private final Path file;
  private final ArenaLayout layout;
  private final Segments segments;
  private final Stripe[] stripes = new Stripe[STRIPES];
  private final ReadCounts counts;
  private final ArenaKey[] owners;
  private final long[] micros;
  private final long[] clients;
  private final long[] tokens;

  private final UnfitKeys unfit;
  private final LongAdder updates = new LongAdder();
  private final LongAdder fills = new LongAdder();
  private final LongAdder lateFills = new LongAdder();
  private final LongAdder declined = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder tooLarge = new LongAdder();
  private volatile boolean takesFills = true;
  private volatile LongPredicate owned = token -> true;
  private long beats;
  private boolean hasEnded;

  private ArenaWriter(Path file, ArenaLayout layout, Segments segments) {
    this.file = file;
    this.layout = layout;
    this.segments = segments;
    int slots = (int) (layout.sets() * ArenaLayout.WAYS);
    this.counts = new ReadCounts(slots);
    this.owners = new ArenaKey[slots];
    this.micros = new long[slots];
    this.clients = new long[slots];
    this.tokens = new long[slots];
    this.unfit = new UnfitKeys(slots);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /**
   * Makes an arena without slots in use, in place of one that a process before has left there,
   * which is marked as dead. Nobody reads it before the first {@link #beat}.
   *
   * @param file on a file system in memory
   * @param table the table's identity
   * @param slotBytes what a key and its body may take, and some: a multiple of 64
   * @param bytes of the file, at most
   * @param permissions of the file: who may read all that is in it
   * @throws IOException if there is no room for it: nothing is left behind then
   */
  public static ArenaWriter create(
      Path file, UUID table, int slotBytes, long bytes, Set<PosixFilePermission> permissions)
      throws IOException {
    ArenaLayout layout = ArenaLayout.within(table, slotBytes, bytes);
    markDead(file);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(permissions))) {
      Files.setPosixFilePermissions(fresh, permissions); // whatever the umask
      fill(channel, layout);
      Segments segments = Segments.map(channel, FileChannel.MapMode.READ_WRITE, layout);
      segments.head().put(0, layout.head(new SecureRandom().nextLong()), 0, headBytes());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      return new ArenaWriter(file, layout, segments);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
  }

  private static int headBytes() {
    return ArenaLayout.HEAD_CRC_AT + Integer.BYTES;
  }

  /** Written, not only mapped: memory that is not there is told now, and not by a signal later. */
  private static void fill(FileChannel channel, ArenaLayout layout) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE_BYTES);
    long left = layout.fileBytes();
    while (left > 0) {
      zeros.clear().limit((int) Math.min(PIECE_BYTES, left));
      left -= channel.write(zeros);
    }
  }

  /**
   * Takes away what a process before has left there, marked as dead; nothing if there is nothing.
   */
  public static void discard(Path file) throws IOException {
    markDead(file);
  }

  /** Whoever has it open goes on to read it otherwise. */
  private static void markDead(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() >= ArenaLayout.HEAD_BYTES) {
        ByteBuffer dead = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(dead.putInt(ArenaLayout.DEAD).flip(), ArenaLayout.STATE_AT);
      }
    } catch (NoSuchFileException e) {
      return;
    }
    Files.deleteIfExists(file);
  }

  // ---- what a slot may hold

  /**
   * Counts a read of a key that came to the storage.
   *
   * @return whether the key is worth a {@link #fill}: it has no slot, and would get one
   */
  public boolean noteRead(ArenaKey key) {
    long set = layout.setOf(key.hash());
    Stripe stripe = stripe(set);
    synchronized (stripe) {
      boolean isHere = find(set, key) >= 0;
      counts.add(key.hash(), isHere ? READS_BEHIND_ONE : 1);
      return !isHere && takesFills && !unfit.has(slot(set, 0), key) && wayFor(set, key) >= 0;
    }
  }

  /** Returns what {@link #fill} is to be given; asked before the storage is read. */
  public long ticket(ArenaKey key) {
    Stripe stripe = stripe(layout.setOf(key.hash()));
    synchronized (stripe) {
      return stripe.changes;
    }
  }

  /**
   * Puts a key's version that was read from the storage. Of keys that want a slot of a full set the
   * one that was read more often has it.
   *
   * @param token where the key lies on the ring
   * @param ticket from before the storage was read
   * @return whether the key has a slot now. It has none if it was changed since the ticket, or is
   *     not {@link #own owned}
   */
  public boolean fill(ArenaKey key, long token, ArenaVersion version, long ticket) {
    long set = layout.setOf(key.hash());
    Stripe stripe = stripe(set);
    synchronized (stripe) {
      if (stripe.changes != ticket || !takesFills || !owned.test(token)) {
        lateFills.increment();
        return false;
      }
      if (!fits(key, version)) {
        tooLarge.increment();
        unfit.add(slot(set, 0), key);
        return false;
      }
      int way = find(set, key);
      if (way >= 0) {
        updateSlot(stripe, set, way, key, version);
        return true;
      }
      way = wayFor(set, key);
      if (way < 0) {
        declined.increment();
        return false;
      }
      if (owners[slot(set, way)] != null) {
        evictions.increment();
      }
      publish(stripe, set, way, key, version);
      tokens[slot(set, way)] = token;
      fills.increment();
      return true;
    }
  }

  /**
   * Tells that the storage has nothing of a key that could be in a slot, so that reads of it want
   * no fill until something is written to it.
   *
   * @param ticket from before the storage was read
   */
  public void noteUnfit(ArenaKey key, long ticket) {
    long set = layout.setOf(key.hash());
    Stripe stripe = stripe(set);
    synchronized (stripe) {
      if (stripe.changes == ticket) {
        unfit.add(slot(set, 0), key);
      }
    }
  }

  /** A free one, or that of a key that was read less; -1 if there is none. */
  private int wayFor(long set, ArenaKey key) {
    int least = -1;
    int leastReads = counts.of(key.hash());
    for (int way = 0; way < ArenaLayout.WAYS; way++) {
      ArenaKey owner = owners[slot(set, way)];
      if (owner == null) {
        return way;
      }
      int reads = counts.of(owner.hash());
      if (reads < leastReads) {
        least = way;
        leastReads = reads;
      }
    }
    return least;
  }

  /**
   * Tells of a version that the storage has from now on, before anybody is told that it has. A key
   * without a slot gets none: who is late could bring back what is older than an eviction.
   */
  public void update(ArenaKey key, ArenaVersion version) {
    long set = layout.setOf(key.hash());
    Stripe stripe = stripe(set);
    synchronized (stripe) {
      stripe.changes++;
      unfit.remove(slot(set, 0), key);
      int way = find(set, key);
      if (way >= 0) {
        updateSlot(stripe, set, way, key, version);
      }
    }
  }

  private void updateSlot(Stripe stripe, long set, int way, ArenaKey key, ArenaVersion version) {
    int slot = slot(set, way);
    if (!version.isAfter(micros[slot], clients[slot])) {
      return;
    }
    if (fits(key, version)) {
      publish(stripe, set, way, key, version);
      updates.increment();
    } else {
      tooLarge.increment();
      empty(stripe, set, way);
    }
  }

  private boolean fits(ArenaKey key, ArenaVersion version) {
    return key.length() + (long) version.body().remaining() <= layout.roomBytes();
  }

  // ---- evictions

  /** Empties a key's slot, and lets no fill of it through that has begun. */
  public void evict(ArenaKey key) {
    long set = layout.setOf(key.hash());
    Stripe stripe = stripe(set);
    synchronized (stripe) {
      stripe.changes++;
      int way = find(set, key);
      if (way >= 0) {
        empty(stripe, set, way);
      }
    }
  }

  /** The same for all keys of some tokens; fills of any key that have begun are not let through. */
  public void evictTokens(LongPredicate some) {
    for (int number = 0; number < STRIPES; number++) {
      Stripe stripe = stripes[number];
      synchronized (stripe) {
        stripe.changes++;
        for (long set = number; set < layout.sets(); set += STRIPES) {
          for (int way = 0; way < ArenaLayout.WAYS; way++) {
            int slot = slot(set, way);
            unfit.forget(slot);
            if (owners[slot] != null && some.test(tokens[slot])) {
              empty(stripe, set, way);
            }
          }
        }
      }
    }
  }

  /**
   * Says which tokens' keys may have slots; all others lose theirs. What is not written to this
   * storage any more would else be filled from what it has left.
   */
  public void own(LongPredicate tokens) {
    owned = tokens;
    evictTokens(token -> !tokens.test(token));
  }

  /** Empties all slots. */
  public void clear() {
    evictTokens(token -> true);
  }

  /** Says whether fills are let through; what has a slot is updated either way. */
  public void takeFills(boolean isAllowed) {
    takesFills = isAllowed;
  }

  // ---- the file

  private Stripe stripe(long set) {
    return stripes[(int) (set % STRIPES)];
  }

  private static int slot(long set, int way) {
    return (int) set * ArenaLayout.WAYS + way;
  }

  private int find(long set, ArenaKey key) {
    for (int way = 0; way < ArenaLayout.WAYS; way++) {
      ArenaKey owner = owners[slot(set, way)];
      if (owner != null && owner.hash() == key.hash() && owner.check() == key.check()) {
        return way;
      }
    }
    return -1;
  }

  private void publish(Stripe stripe, long set, int way, ArenaKey key, ArenaVersion version) {
    int slot = slot(set, way);
    owners[slot] = key;
    micros[slot] = version.micros();
    clients[slot] = version.client();
    write(stripe, set, way, key, version);
  }

  private void empty(Stripe stripe, long set, int way) {
    owners[slot(set, way)] = null;
    write(stripe, set, way, ArenaKey.NONE, NO_VERSION);
  }

  /** Readers that see any of it see a sequence that is odd, or no longer the one that they saw. */
  private void write(Stripe stripe, long set, int way, ArenaKey key, ArenaVersion version) {
    ByteBuffer content = ByteBuffer.allocate(key.length() + version.body().remaining());
    content.put(key.bytes()).put(version.body().duplicate()).flip();
    ByteBuffer mapping = segments.mappingOf(set);
    int at = segments.slotAt(set, way);
    stripe.sequence += 2;
    long sequence = stripe.sequence;
    int bodyBytes = version.body().remaining();
    Segments.setVolatile(mapping, at, sequence - 1);
    VarHandle.fullFence();
    mapping.putLong(at + ArenaLayout.HASH_AT, key.hash());
    mapping.putLong(at + ArenaLayout.MICROS_AT, version.micros());
    mapping.putLong(at + ArenaLayout.CLIENT_AT, version.client());
    mapping.putInt(at + ArenaLayout.KEY_BYTES_AT, key.length());
    mapping.putInt(at + ArenaLayout.BODY_BYTES_AT, bodyBytes);
    mapping.putInt(
        at + ArenaLayout.CRC_AT,
        SlotChecksum.of(
            sequence,
            key.hash(),
            version.micros(),
            version.client(),
            key.length(),
            bodyBytes,
            content));
    mapping.put(at + ArenaLayout.KEY_AT, content, content.position(), content.remaining());
    Segments.setRelease(mapping, at + layout.slotBytes() - ArenaLayout.TAIL_BYTES, sequence);
    Segments.setRelease(mapping, at, sequence);
  }

  /**
   * Says that the writer lives, and that what is here may be read. To be called ten times a second.
   */
  public synchronized void beat() {
    if (hasEnded) {
      return;
    }
    Segments.setRelease(segments.head(), ArenaLayout.HEARTBEAT_AT, ++beats);
    Segments.setIntRelease(segments.head(), ArenaLayout.STATE_AT, ArenaLayout.LIVE);
  }

  /** Says that nobody may read it, until the next {@link #beat}. */
  public synchronized void rest() {
    if (hasEnded) {
      return;
    }
    Segments.setIntRelease(segments.head(), ArenaLayout.STATE_AT, ArenaLayout.FILLING);
  }

  /** Returns how long the file is. */
  public long fileBytes() {
    return layout.fileBytes();
  }

  /** Returns how many keys have a slot; counted. */
  public int keys() {
    int count = 0;
    for (ArenaKey owner : owners) {
      count += owner == null ? 0 : 1;
    }
    return count;
  }

  /** A key with how often it was read at one moment: counts change while others are compared. */
  private record Read(ArenaKey key, int reads) {}

  /** Returns the keys that have a slot, those first that were read most. */
  public List<ArenaKey> keysByReads() {
    return Arrays.stream(owners)
        .filter(Objects::nonNull)
        .map(owner -> new Read(owner, counts.of(owner.hash())))
        .sorted(Comparator.comparingInt(Read::reads).reversed())
        .map(Read::key)
        .toList();
  }

  /** Returns how many slots there are. */
  public int slots() {
    return owners.length;
  }

  public Statistics statistics() {
    return new Statistics(
        updates.sum(),
        fills.sum(),
        lateFills.sum(),
        declined.sum(),
        evictions.sum(),
        tooLarge.sum());
  }

  /** Says that nobody may ever read it again, whoever beats after that. */
  public synchronized void end() {
    hasEnded = true;
    Segments.setIntRelease(segments.head(), ArenaLayout.STATE_AT, ArenaLayout.DEAD);
  }

  /** Ends it, and takes its file away. */
  @Override
  public void close() throws IOException {
    end();
    Files.deleteIfExists(file);
  }
}
