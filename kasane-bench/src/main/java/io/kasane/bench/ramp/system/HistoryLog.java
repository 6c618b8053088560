/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import io.kasane.ramp.history.History;
import io.kasane.ramp.history.Operation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes a {@link History} of one process. Holds about 100 bytes for each transaction that wrote.
 * Thread-safe.
 *
 * <p>A write that was not acknowledged stands at the end, in a session of its own, if anybody saw
 * it; else nobody can tell that it was.
 */
final class HistoryLog {
  private final BufferedWriter operations;
  private final BufferedWriter facts;
  private final Set<Long> acknowledged = new HashSet<>();
  private final Set<Long> ordered = new HashSet<>();
  private final Map<Long, int[]> doubtful = new TreeMap<>();

  private HistoryLog(BufferedWriter operations, BufferedWriter facts) {
    this.operations = operations;
    this.facts = facts;
  }

  /** Begins two new files, and their folder where it is missing. */
  static HistoryLog create(History history) {
    try {
      Files.createDirectories(history.operations().toAbsolutePath().getParent());
      return new HistoryLog(writer(history.operations()), writer(history.transactions()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BufferedWriter writer(Path path) throws IOException {
    return Files.newBufferedWriter(path, StandardCharsets.US_ASCII);
  }

  synchronized void read(long session, long number, int[] keys, Reading reading) {
    Map<Integer, Long> writers = new HashMap<>();
    try {
      for (SeenValue seen : reading.values()) {
        long writer = seen.value().number();
        writers.put(seen.key(), writer);
        if (ordered.add(writer)) {
          fact("t " + writer + ' ' + seen.order().micros() + ' ' + seen.order().client());
        }
        if (!acknowledged.contains(writer)) {
          doubtful.put(writer, seen.value().keys());
        }
      }
      for (int key : keys) {
        long writer = writers.getOrDefault(key, Operation.NEVER_WRITTEN);
        operation(new Operation(false, key, writer, session, number));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void acknowledged(
      long session, long number, int[] keys, long beganNanos, long endedNanos) {
    acknowledged.add(number);
    doubtful.remove(number);
    try {
      write(session, number, keys);
      fact("a " + number + ' ' + beganNanos + ' ' + endedNanos);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Completes the files; sessions from this one on belong to nobody. */
  synchronized void close(long freeSession) throws IOException {
    try (operations;
        facts) {
      long session = freeSession;
      for (Map.Entry<Long, int[]> each : doubtful.entrySet()) {
        write(session++, each.getKey(), each.getValue());
      }
    }
  }

  private void write(long session, long number, int[] keys) throws IOException {
    for (int key : keys) {
      operation(new Operation(true, key, number, session, number));
    }
  }

  private void operation(Operation operation) throws IOException {
    operations.write(operation.toString());
    operations.write('\n');
  }

  private void fact(String fact) throws IOException {
    facts.write(fact);
    facts.write('\n');
  }
}
