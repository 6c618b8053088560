/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Set;

/**
 * Checks a history with the rules of {@link TransactionChecks}. The files are read three times and
 * never held: a million transactions of eight keys take under 1 GB of heap. Not thread-safe.
 */
public final class HistoryChecker {
  private final TransactionChecks checks;
  private final LongIndex readAtRest = new LongIndex();

  private long transaction = -1;
  private long session;
  private long[] keys = new long[8];
  private long[] values = new long[8];
  private int reads;
  private int writes;
  private long[] writtenKeys = new long[8];

  private HistoryChecker(TransactionChecks checks) {
    this.checks = checks;
  }

  /**
   * Checks a history.
   *
   * @param wanted which anomalies are looked for
   * @param absenceMayBeDeletion as {@link TransactionChecks#TransactionChecks} says
   * @throws IllegalArgumentException where a line is none of a history
   */
  public static HistoryReport check(
      History history, Set<Anomaly> wanted, boolean absenceMayBeDeletion) throws IOException {
    var checks = new TransactionChecks(wanted, absenceMayBeDeletion);
    var checker = new HistoryChecker(checks);
    checker.tellWrites(history);
    checker.tellFacts(history);
    checks.seal();
    checker.tellTransactions(history);
    return checks.report();
  }

  private void tellWrites(History history) throws IOException {
    try (HistoryReader reader = HistoryReader.open(history.operations())) {
      for (Operation line = reader.next(); line != null; line = reader.next()) {
        if (line.isWrite()) {
          checks.wrote(line.value(), line.key());
          if (line.transaction() == Operation.ABORTED) {
            checks.aborted(line.value());
          }
        }
      }
    }
  }

  private void tellFacts(History history) throws IOException {
    try (var lines = Files.newBufferedReader(history.transactions(), StandardCharsets.US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        tellFact(line);
      }
    }
  }

  private void tellFact(String line) {
    String[] fields = line.split(" ", -1);
    try {
      long number = Long.parseLong(fields[1]);
      switch (fields[0]) {
        case "t" ->
            checks.timestamp(
                number, new Timestamp(Long.parseLong(fields[2]), Long.parseLong(fields[3])));
        case "a" ->
            checks.acknowledged(number, Long.parseLong(fields[2]), Long.parseLong(fields[3]));
        case "d" -> checks.deleted(number, Long.parseLong(fields[2]));
        case "q" -> readAtRest.add(number);
        default -> throw new IllegalArgumentException("no such fact");
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("\"" + line + "\" is no fact of a history", e);
    }
  }

  private void tellTransactions(History history) throws IOException {
    try (HistoryReader reader = HistoryReader.open(history.operations())) {
      for (Operation line = reader.next(); line != null; line = reader.next()) {
        if (line.transaction() == Operation.ABORTED) {
          continue;
        }
        if (line.transaction() != transaction) {
          finishTransaction();
          transaction = line.transaction();
          session = line.session();
        }
        take(line);
      }
    }
    finishTransaction();
  }

  private void take(Operation line) {
    if (line.isWrite()) {
      if (writes == writtenKeys.length) {
        writtenKeys = Arrays.copyOf(writtenKeys, writes * 2);
      }
      writtenKeys[writes++] = line.key();
      return;
    }
    if (reads == keys.length) {
      keys = Arrays.copyOf(keys, reads * 2);
      values = Arrays.copyOf(values, reads * 2);
    }
    keys[reads] = line.key();
    values[reads++] = line.value();
  }

  private void finishTransaction() {
    if (reads > 0) {
      checks.read(session, transaction, keys, values, reads);
      if (readAtRest.find(transaction) >= 0) {
        for (int i = 0; i < reads; i++) {
          checks.atRest(transaction, keys[i], values[i]);
        }
      }
    }
    for (int i = 0; i < writes; i++) {
      checks.sessionWrote(session, transaction, writtenKeys[i]);
    }
    reads = 0;
    writes = 0;
  }
}
