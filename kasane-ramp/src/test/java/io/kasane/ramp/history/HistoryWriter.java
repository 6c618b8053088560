/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Logs what the sessions of one process do; {@link HistoryAssembler} makes a history of the logs of
 * all processes. Each event is one write to the file, without a buffer in the process, so that what
 * was logged is there though the process is killed. It is not synced: it need not outlive the
 * machine.
 *
 * <p>Thread-safe. A session runs one transaction at a time, since its order is that of its lines.
 */
public final class HistoryWriter implements AutoCloseable {
  /** Processes have numbers up to this one. */
  public static final int MAX_PROCESS = (1 << 20) - 1;

  private static final int TRANSACTION_BITS = 32;

  private final FileChannel file;
  private final LongSupplier nanoClock;
  private final long base;
  private final AtomicLong transactions = new AtomicLong();
  private final AtomicLong sessions = new AtomicLong();

  private HistoryWriter(FileChannel file, int process, LongSupplier nanoClock) {
    this.file = file;
    this.nanoClock = nanoClock;
    this.base = (long) process << TRANSACTION_BITS;
  }

  /**
   * Begins a log.
   *
   * @param path a file that does not exist
   * @param process a number that no other process of the same history has, 0 to {@link
   *     #MAX_PROCESS}; one that starts again takes a new one
   * @param nanoClock never goes back, and is the same for all processes of the history
   */
  public static HistoryWriter create(Path path, int process, LongSupplier nanoClock)
      throws IOException {
    if (process < 0 || process > MAX_PROCESS) {
      throw new IllegalArgumentException(
          "process is " + process + ", and has to be 0 to " + MAX_PROCESS);
    }
    FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    return new HistoryWriter(file, process, nanoClock);
  }

  /** The number of a new session, unique among all processes. */
  public long newSession() {
    return base + sessions.incrementAndGet();
  }

  /**
   * Logs that a put is about to be sent. To be called before anything is.
   *
   * @param written the keys that get a value
   * @param deleted the keys that lose theirs
   * @return the transaction's number, unique among all processes: the value to write
   */
  public long begin(long session, Collection<Long> written, Collection<Long> deleted) {
    long transaction = base + transactions.incrementAndGet();
    StringBuilder line = new StringBuilder(64);
    line.append("b ").append(transaction).append(' ').append(session);
    line.append(' ').append(nanoClock.getAsLong());
    written.forEach(key -> line.append(" w").append((long) key));
    deleted.forEach(key -> line.append(" d").append((long) key));
    append(line);
    return transaction;
  }

  /** Logs that a put is done, be it at a retry. */
  public void acknowledged(long transaction, Timestamp timestamp) {
    StringBuilder line = new StringBuilder(64);
    line.append("a ").append(transaction).append(' ').append(nanoClock.getAsLong());
    append(appendTimestamp(line, timestamp));
  }

  /** Logs that a put failed before its first COMMIT was sent, and is not retried. */
  public void failed(long transaction) {
    append(new StringBuilder(32).append("f ").append(transaction));
  }

  /**
   * Logs that nobody knows whether a put is done. Without this line, too, a put is taken for
   * unknown that was neither acknowledged nor failed.
   */
  public void unknown(long transaction, Timestamp timestamp) {
    append(appendTimestamp(new StringBuilder(48).append("u ").append(transaction), timestamp));
  }

  /** Logs what a transaction read that is done. */
  public void read(long session, List<KeyRead> reads) {
    appendReads('r', session, reads);
  }

  /**
   * Logs what was read after all puts were over and all faults healed: what must show everything
   * that was acknowledged.
   */
  public void readAtRest(long session, List<KeyRead> reads) {
    appendReads('q', session, reads);
  }

  private void appendReads(char event, long session, List<KeyRead> reads) {
    StringBuilder line = new StringBuilder(32 + 48 * reads.size());
    line.append(event).append(' ').append(base + transactions.incrementAndGet());
    line.append(' ').append(session);
    for (KeyRead read : reads) {
      line.append(' ').append(read.key()).append(' ').append(read.value());
      appendTimestamp(line, read.timestamp());
    }
    append(line);
  }

  private static StringBuilder appendTimestamp(StringBuilder line, Timestamp timestamp) {
    return line.append(' ').append(timestamp.micros()).append(' ').append(timestamp.client());
  }

  private void append(StringBuilder line) {
    ByteBuffer bytes =
        ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
    try {
      synchronized (this) {
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
