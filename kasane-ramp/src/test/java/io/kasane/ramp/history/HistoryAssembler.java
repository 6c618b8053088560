/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes one history of the logs of several processes.
 *
 * <p>A put stands where it was acknowledged. One that failed has the transaction {@link
 * Operation#ABORTED}. One of which nobody knows, or whose process was killed, stands at the end,
 * whole, in a session of its own: its client saw nothing of it, and others may have.
 *
 * <p>Holds an entry of about 100 bytes for each put in memory.
 */
public final class HistoryAssembler {
  private final Map<Timestamp, Long> writers = new HashMap<>();
  private final Map<Long, Put> open = new HashMap<>();
  private final BufferedWriter operations;
  private final BufferedWriter facts;
  private final Set<Long> failed = new HashSet<>();
  private long highestSession;
  private long unresolved;

  private HistoryAssembler(BufferedWriter operations, BufferedWriter facts) {
    this.operations = operations;
    this.facts = facts;
  }

  private record Put(long session, long nanos, List<Long> written, List<Long> deleted) {}

  /**
   * Writes the history of these logs.
   *
   * @return how many reads are left out because nothing tells which transaction wrote the deletion
   *     that they saw: its process was killed, and all it wrote is deletions
   */
  public static long assemble(List<Path> logs, History history) throws IOException {
    try (BufferedWriter operations = writer(history.operations());
        BufferedWriter facts = writer(history.transactions())) {
      var assembler = new HistoryAssembler(operations, facts);
      for (Path log : logs) {
        ProcessLog.visit(log, assembler.new TimestampPass());
      }
      assembler.writeTimestamps();
      for (Path log : logs) {
        ProcessLog.visit(log, assembler.new OperationPass());
      }
      assembler.writeOpenPuts();
      return assembler.unresolved;
    }
  }

  private static BufferedWriter writer(Path path) throws IOException {
    return Files.newBufferedWriter(path, StandardCharsets.US_ASCII);
  }

  /** Learns which transaction has which timestamp, and which numbers sessions have. */
  private final class TimestampPass implements ProcessLog.Visitor {
    @Override
    public void begun(
        long transaction, long session, long nanos, List<Long> written, List<Long> deleted) {
      highestSession = Math.max(highestSession, session);
    }

    @Override
    public void acknowledged(long transaction, long nanos, Timestamp timestamp) throws IOException {
      learn(timestamp, transaction);
    }

    @Override
    public void unknown(long transaction, Timestamp timestamp) {
      writers.putIfAbsent(timestamp, transaction);
    }

    @Override
    public void read(long transaction, long session, List<KeyRead> reads, boolean atRest)
        throws IOException {
      highestSession = Math.max(highestSession, session);
      for (KeyRead read : reads) {
        if (read.value() > 0 && !read.timestamp().equals(Timestamp.NONE)) {
          learn(read.timestamp(), read.value());
        }
      }
    }

    /** Two transactions of one timestamp are the checker's to find: both are written. */
    private void learn(Timestamp timestamp, long transaction) throws IOException {
      Long known = writers.putIfAbsent(timestamp, transaction);
      if (known != null && known != transaction) {
        writeFact('t', transaction, timestamp.micros(), timestamp.client());
      }
    }
  }

  private void writeTimestamps() throws IOException {
    for (Map.Entry<Timestamp, Long> entry : writers.entrySet()) {
      Timestamp timestamp = entry.getKey();
      writeFact('t', entry.getValue(), timestamp.micros(), timestamp.client());
    }
  }

  /** Writes what is done, in the order of the log. */
  private final class OperationPass implements ProcessLog.Visitor {
    @Override
    public void begun(
        long transaction, long session, long nanos, List<Long> written, List<Long> deleted) {
      open.put(transaction, new Put(session, nanos, written, deleted));
    }

    @Override
    public void acknowledged(long transaction, long nanos, Timestamp timestamp) throws IOException {
      Put put = open.remove(transaction);
      if (put != null) {
        writePut(transaction, put, put.session(), transaction);
        writeFact('a', transaction, put.nanos(), nanos);
      }
    }

    @Override
    public void failed(long transaction) {
      failed.add(transaction);
    }

    @Override
    public void read(long transaction, long session, List<KeyRead> reads, boolean atRest)
        throws IOException {
      for (KeyRead read : reads) {
        long value = read.value();
        if (value == KeyRead.BY_TIMESTAMP) {
          Long writer = writers.get(read.timestamp());
          if (writer == null) {
            unresolved++;
            continue;
          }
          value = writer;
        }
        write(new Operation(false, read.key(), value, session, transaction));
      }
      if (atRest) {
        writeFact('q', transaction);
      }
    }
  }

  private void writeOpenPuts() throws IOException {
    for (Map.Entry<Long, Put> entry : open.entrySet()) {
      long transaction = entry.getKey();
      writePut(
          transaction,
          entry.getValue(),
          ++highestSession,
          failed.contains(transaction) ? Operation.ABORTED : transaction);
    }
  }

  private void writePut(long number, Put put, long session, long transaction) throws IOException {
    for (long key : put.written()) {
      write(new Operation(true, key, number, session, transaction));
    }
    for (long key : put.deleted()) {
      write(new Operation(true, key, number, session, transaction));
      writeFact('d', number, key);
    }
  }

  private void write(Operation operation) throws IOException {
    operations.write(operation.toString());
    operations.write('\n');
  }

  private void writeFact(char fact, long... numbers) throws IOException {
    facts.write(fact);
    for (long number : numbers) {
      facts.write(' ');
      facts.write(Long.toString(number));
    }
    facts.write('\n');
  }
}
