/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rules of Read Atomic isolation, of sessions and of durability, over transactions that are
 * told one by one: first all that is known of those that write, then {@link #seal}, then what was
 * read, each session's transactions in their order.
 *
 * <p>A transaction reads atomically if, for each version that it saw, it saw of no other key that
 * the same transaction wrote an older version. Versions are ordered by the timestamps of their
 * transactions; where one has none, by one having been acknowledged before the other began. Not
 * thread-safe.
 *
 * <p>Source: Bailis et al., Scalable Atomic Visibility with RAMP Transactions, SIGMOD 2014, section
 * 3.1.
 */
public final class TransactionChecks {
  /** So many violations are kept in words; the others are counted. */
  public static final int MAX_VIOLATIONS = 100;

  private static final int NOTHING = -1;

  private final AnomalyLog log;
  private final Writers writers = new Writers();
  private final LongIndex keys = new LongIndex();
  private final SessionFloors floors = new SessionFloors();
  private final VersionOrder order;

  /** Where the transaction at hand read a key: 1 + its place, where that still holds the key. */
  private int[] place = new int[0];

  private int[] readKeys = new int[8];
  private int[] shown = new int[8];
  private long puts;
  private long gets;
  private long keysAtRest;

  /**
   * Nothing is known yet.
   *
   * @param wanted which anomalies are looked for
   * @param absenceMayBeDeletion whether a key of which nothing is seen may have been deleted, and
   *     its deletion purged; else nothing means that it was never written
   */
  public TransactionChecks(Set<Anomaly> wanted, boolean absenceMayBeDeletion) {
    this.log = new AnomalyLog(wanted, MAX_VIOLATIONS);
    this.order = new VersionOrder(writers, absenceMayBeDeletion);
  }

  /** All anomalies. */
  public static Set<Anomaly> all() {
    return EnumSet.allOf(Anomaly.class);
  }

  /** A transaction writes a key. */
  public void wrote(long transaction, long key) {
    writers.addWrite(writers.add(transaction), keys.add(key));
  }

  /** What a transaction wrote to a key is a deletion; to be told after {@link #wrote}. */
  public void deleted(long transaction, long key) {
    writers.markDeletion(writers.add(transaction), keys.add(key));
  }

  /** A transaction failed. */
  public void aborted(long transaction) {
    writers.markAborted(writers.add(transaction));
  }

  /** The timestamp of a transaction. */
  public void timestamp(long transaction, Timestamp timestamp) {
    int writer = writers.add(transaction);
    if (writers.hasTimestamp(writer) && !writers.timestamp(writer).equals(timestamp)) {
      log.add(
          Anomaly.INTERMEDIATE,
          transaction,
          NOTHING,
          "seen at " + writers.timestamp(writer) + " and at " + timestamp);
      return;
    }
    writers.setTimestamp(writer, timestamp.micros(), timestamp.client());
  }

  /** When a transaction began and was acknowledged. */
  public void acknowledged(long transaction, long beganNanos, long endedNanos) {
    writers.setTimes(writers.add(transaction), beganNanos, endedNanos);
  }

  /** All is told of those that write. */
  public void seal() {
    puts = writers.size();
    place = new int[keys.size()];
    order.seal(keys.size());
    if (log.wants(Anomaly.BEATEN)) {
      new BeatenPuts(writers, keys, log).check();
    }
  }

  /**
   * A transaction read keys.
   *
   * @param session whose it is
   * @param transaction its number
   * @param read the keys
   * @param values the numbers of the transactions that wrote what it saw, {@link
   *     Operation#NEVER_WRITTEN} where it saw nothing
   * @param count how many of them there are
   */
  public void read(long session, long transaction, long[] read, long[] values, int count) {
    gets++;
    int kept = resolve(transaction, read, values, count);
    checkAtomicity(transaction, kept);
    for (int i = 0; i < kept; i++) {
      checkFloor(session, transaction, readKeys[i], shown[i]);
      if (shown[i] >= 0) {
        floors.raise(session, readKeys[i], shown[i], false, writers);
      }
    }
  }

  /** The session goes on after its own write of a key was acknowledged. */
  public void sessionWrote(long session, long transaction, long key) {
    int number = keys.find(key);
    int writer = writers.find(transaction);
    int entry = floors.find(session, number);
    if (entry >= 0 && writers.isOlder(writer, floors.writer(entry))) {
      log.add(
          Anomaly.WRITE_BEHIND_READ,
          transaction,
          key,
          name(writer) + " was put after " + name(floors.writer(entry)) + " was seen");
    }
    floors.raise(session, number, writer, true, writers);
  }

  /** What a key shows when all is at rest; beside {@link #read}. */
  public void atRest(long transaction, long key, long value) {
    keysAtRest++;
    int number = keys.find(key);
    int newest = number < 0 ? NOTHING : order.newestAcknowledged(number);
    int seen = value == Operation.NEVER_WRITTEN ? NOTHING : writers.find(value);
    if (newest >= 0 && order.isOlder(number, seen, newest)) {
      log.add(
          Anomaly.LOST,
          transaction,
          key,
          "shows " + name(seen) + ", and " + name(newest) + " was acknowledged");
    }
  }

  /** What was found so far. */
  public HistoryReport report() {
    return new HistoryReport(puts, gets, keysAtRest, log.counts(), log.violations());
  }

  /** Finds keys and writers; leaves out what nobody wrote. */
  private int resolve(long transaction, long[] read, long[] values, int count) {
    if (shown.length < count) {
      readKeys = new int[count * 2];
      shown = new int[count * 2];
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int key = keys.find(read[i]);
      int writer = values[i] == Operation.NEVER_WRITTEN ? NOTHING : writers.find(values[i]);
      if (values[i] != Operation.NEVER_WRITTEN
          && (key < 0 || writer < 0 || writers.writeTo(writer, key) < 0)) {
        log.add(Anomaly.THIN_AIR, transaction, read[i], values[i] + " never wrote it");
        continue;
      }
      if (writer >= 0 && writers.isAborted(writer)) {
        log.add(Anomaly.ABORTED, transaction, read[i], values[i] + " failed");
      }
      if (key >= 0) {
        readKeys[kept] = key;
        shown[kept++] = writer;
      }
    }
    return kept;
  }

  private void checkAtomicity(long transaction, int count) {
    for (int i = 0; i < count; i++) {
      int before = placeOf(readKeys[i], i);
      if (before >= 0 && shown[before] != shown[i]) {
        log.add(
            Anomaly.UNREPEATABLE,
            transaction,
            keys.valueOf(readKeys[i]),
            "shows " + name(shown[before]) + " and " + name(shown[i]));
      }
      place[readKeys[i]] = i + 1;
    }
    for (int i = 0; i < count; i++) {
      int writer = shown[i];
      int write = writer < 0 ? NOTHING : writers.firstWrite(writer);
      while (write >= 0) {
        int other = placeOf(writers.key(write), count);
        if (other >= 0 && other != i && isFractured(i, other)) {
          log.add(
              Anomaly.FRACTURED,
              transaction,
              keys.valueOf(readKeys[other]),
              "shows "
                  + name(shown[other])
                  + ", and key "
                  + keys.valueOf(readKeys[i])
                  + " shows "
                  + name(writer)
                  + ", which wrote both");
        }
        write = writers.nextWrite(write);
      }
    }
  }

  /** Where among the first reads of this transaction that key is; what others left is ignored. */
  private int placeOf(int key, int limit) {
    int at = place[key] - 1;
    return at >= 0 && at < limit && readKeys[at] == key ? at : NOTHING;
  }

  /** Whether the one shows a transaction of whose write the other shows too little. */
  private boolean isFractured(int one, int other) {
    if (order.isOlder(readKeys[other], shown[other], shown[one])) {
      return true;
    }
    boolean ordered =
        shown[other] < 0
            || shown[other] == shown[one]
            || order.isOlder(readKeys[one], shown[one], shown[other]);
    // Whichever of the two is newer: it wrote both keys, and is seen in one of them only.
    return !ordered && writers.writeTo(shown[other], readKeys[one]) >= 0;
  }

  private void checkFloor(long session, long transaction, int key, int writer) {
    int entry = floors.find(session, key);
    if (entry >= 0 && order.isOlder(key, writer, floors.writer(entry))) {
      log.add(
          floors.isOwn(entry) ? Anomaly.OWN_WRITE_MISSED : Anomaly.NOT_MONOTONIC,
          transaction,
          keys.valueOf(key),
          "shows "
              + name(writer)
              + ", and session "
              + session
              + (floors.isOwn(entry) ? " wrote " : " had seen ")
              + name(floors.writer(entry)));
    }
  }

  private String name(int writer) {
    if (writer < 0) {
      return "nothing";
    }
    return writers.transaction(writer)
        + (writers.hasTimestamp(writer) ? " at " + writers.timestamp(writer) : "");
  }
}
