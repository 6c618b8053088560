/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.skipindex.SkipIndexRecords.Replay;
import io.kasane.heat.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries {@link SkipIndex} over a restart or a kill -9. What it holds stays true, since SSTables
 * never change and their names here never come again; and a lost record costs speed, never a row:
 * without the record of a compaction its inputs are gone with no successors, so nothing rests on
 * them. So nothing is forced to disk, and an old file does no harm.
 *
 * <p>What happens is queued, without I/O and so under any lock, in the order in which it happens;
 * {@link #write} appends it. A file of records, each with its length and a CRC-32; it ends at the
 * first that is torn. Rewritten when it has grown to twice what it needs. A file that cannot be
 * written is deleted, and a whole one is tried a while later. Thread-safe.
 *
 * @param <S> identifies an SSTable
 */
public final class SkipIndexLog<S> implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SkipIndexLog.class);

  /** A smaller file is read in milliseconds: to write it anew saves nothing. */
  private static final long SMALL_BYTES = 1 << 20;

  /** A disk that is full or gone stays so for a while; each try writes all once more. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path file;
  private final LongSupplier nanoTime;
  private final SSTableNames<S> names;
  private final Queue<Event> queue = new ConcurrentLinkedQueue<>();
  private boolean isAtEnd; // of what is whole in the file
  private boolean isRead;
  private Set<S> manySources; // that were written last; null: none to the file as it is
  private FileChannel channel; // null: closed or given up; guarded by this, as all below
  private boolean closed;
  private boolean givenUp;
  private long retryAtNanos;
  private long bytesAfterRewrite;

  /** Something that happened, with tokens of its own. */
  private record Event(List<SortedTokenSet> tokens, Body body) implements AutoCloseable {
    interface Body {
      void write() throws IOException;
    }

    @Override
    public void close() {
      tokens.forEach(SortedTokenSet::close);
    }
  }

  /**
   * Opens the file, or begins it.
   *
   * @param nameOf an SSTable's name, or null if another one may have it some day; may do I/O
   */
  public SkipIndexLog(Path file, Function<S, String> nameOf, LongSupplier nanoTime) {
    this.file = file;
    this.nanoTime = nanoTime;
    this.names = new SSTableNames<>(nameOf);
    try {
      OwnerOnly.createDirectories(file.getParent());
      channel = OwnerOnly.open(file);
    } catch (IOException e) {
      giveUp(e);
    }
  }

  // What SkipIndex says, in the order in which it happens. No I/O.

  /** Rows of a slow SSTable may be left out, since {@code homes} hold them; closes tokens. */
  public void added(S slow, SortedTokenSet tokens, Collection<S> homes) {
    queue.add(
        new Event(
            List.of(tokens),
            () ->
                SkipIndexRecords.added(names.of(slow), names.ofAll(homes), tokens, this::append)));
  }

  /** SSTables hand their rows on, but for those that are dropped; closes them. */
  public void moved(Collection<S> inputs, Collection<S> outputs, SortedTokenSet dropped) {
    queue.add(
        new Event(
            List.of(dropped),
            () ->
                SkipIndexRecords.moved(
                    names.ofAll(inputs), names.ofAll(outputs), dropped, this::append)));
  }

  /**
   * All rows of {@code copies} lie in {@code sources}, too.
   *
   * @param sources never to change; many are written once as long as it is the same object
   */
  public void copied(Collection<S> copies, Set<S> sources) {
    queue.add(
        new Event(
            List.of(),
            () -> {
              if (channel != null) {
                writeCopied(copies, sources);
              }
            }));
  }

  private void writeCopied(Collection<S> copies, Set<S> sources) throws IOException {
    List<String> copyNames = names.ofAll(copies);
    if (sources == manySources) {
      append(SkipIndexRecords.alsoCopied(copyNames));
      return;
    }
    byte[] record = SkipIndexRecords.copied(copyNames, names.ofAll(sources));
    append(record);
    if (record.length > 0 && sources.size() > SkipIndexRecords.FEW_SOURCES) {
      manySources = sources;
    }
  }

  /** All that is known; takes the place of all that was said before. Closes the rows. */
  public void rewritten(
      Map<S, List<SortedTokenSet>> rows,
      Set<S> homes,
      Map<S, Set<S>> sourcesByCopy,
      Map<S, Set<S>> successors) {
    queue.add(
        new Event(
            rows.values().stream().flatMap(List::stream).toList(),
            () -> rewrite(new SkipIndexSnapshot<>(rows, homes, sourcesByCopy, successors))));
  }

  // I/O.

  /** Writes what is queued. Not to be called under a lock that a read takes. */
  public synchronized void write() {
    for (Event next = queue.poll(); next != null; next = queue.poll()) {
      try (Event event = next) {
        goToEnd();
        event.body().write();
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }

  /** Nothing is written behind a record that is torn. */
  private void goToEnd() throws IOException {
    if (!isAtEnd && channel != null) {
      goTo(SkipIndexRecords.read(channel, payload -> {}));
    }
  }

  private void goTo(long whole) throws IOException {
    manySources = null;
    if (whole == 0) {
      SkipIndexRecords.begin(channel);
    } else {
      channel.truncate(whole);
      channel.position(whole);
    }
    isAtEnd = true;
  }

  private void append(byte[] record) throws IOException {
    if (channel != null && record.length > 0) {
      SkipIndexRecords.write(channel, ByteBuffer.wrap(record));
    }
  }

  private void giveUp(IOException why) {
    if (!givenUp) {
      logger.warn(
          "Cannot write {} ({}): should the node end now, rows that were copied are read from slow"
              + " after its start until they are copied again. Free space there or set"
              + " heat_directory in kasane.yaml.",
          file,
          why.toString());
    }
    givenUp = true;
    retryAtNanos = nanoTime.getAsLong() + RETRY_NANOS;
    closeQuietly(channel);
    channel = null;
    manySources = null;
    deleteQuietly(file);
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      logger.debug("Could not delete {}", path, e);
    }
  }

  private static void closeQuietly(FileChannel open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        logger.debug("Could not close a file", e);
      }
    }
  }

  /** Whether the file has outgrown what it needs, or is worth another try. */
  synchronized boolean isToBeRewritten() {
    if (!isRead) {
      return false; // what is known now is less than what the file has
    }
    if (givenUp) {
      return !closed && nanoTime.getAsLong() - retryAtNanos >= 0;
    }
    try {
      return channel != null && channel.size() > Math.max(SMALL_BYTES, 2 * bytesAfterRewrite);
    } catch (IOException e) {
      return false;
    }
  }

  private void rewrite(SkipIndexSnapshot<S> all) throws IOException {
    if (closed) {
      return;
    }
    Path next = next(file);
    FileChannel fresh = null;
    Set<S> many;
    try {
      OwnerOnly.createDirectories(file.getParent());
      fresh = OwnerOnly.open(next);
      SkipIndexRecords.begin(fresh);
      many = all.writeTo(fresh, names);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(fresh);
      deleteQuietly(next);
      throw e;
    }
    closeQuietly(channel);
    channel = fresh;
    manySources = many;
    isAtEnd = true;
    bytesAfterRewrite = fresh.size();
    all.retain(names);
    if (givenUp) {
      givenUp = false;
      logger.info("{} can be written again", file);
    }
  }

  // After a restart.

  /**
   * What was kept.
   *
   * @param rows tokens by slow SSTable, to be closed by the caller
   * @param homes live SSTables that hold them
   * @param sourcesByCopy live SSTables that hold all rows of a live copy, too; the same object
   *     where they are the same
   */
  public record Kept<S>(Map<S, SortedTokenSet> rows, Set<S> homes, Map<S, Set<S>> sourcesByCopy) {}

  /**
   * Reads what still holds.
   *
   * @param liveByName the live SSTables by their names; not asked if nothing was kept
   */
  public synchronized Kept<S> read(Supplier<Map<String, S>> liveByName) {
    isRead = true;
    Replay replay = new Replay();
    try {
      if (channel != null) {
        goTo(SkipIndexRecords.read(channel, replay::record));
      }
    } catch (IOException e) {
      giveUp(e);
      replay.close();
      return new Kept<>(Map.of(), Set.of(), Map.of());
    }
    try {
      return SkipIndexSnapshot.whatHolds(replay, liveByName, file);
    } finally {
      replay.close();
    }
  }

  @Override
  public synchronized void close() {
    write();
    closed = true;
    closeQuietly(channel);
    channel = null;
  }

  /** Forgets everything for good. */
  public static void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(next(file));
  }

  private static Path next(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }
}
