/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Timestamp;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plants each anomaly, and what looks like one and is none. */
class TransactionChecksTest {
  private static final long SESSION = 7;
  private static final long READER = 1_000;

  private final TransactionChecks checks = new TransactionChecks(TransactionChecks.all(), false);

  /** A transaction acknowledged from time to time, whose timestamp is its number. */
  private void put(long transaction, long began, long ended, long... keys) {
    for (long key : keys) {
      checks.wrote(transaction, key);
    }
    checks.timestamp(transaction, new Timestamp(transaction, 0));
    checks.acknowledged(transaction, began, ended);
  }

  private void read(long... keysAndValues) {
    int count = keysAndValues.length / 2;
    long[] keys = new long[count];
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = keysAndValues[2 * i];
      values[i] = keysAndValues[2 * i + 1];
    }
    checks.read(SESSION, READER, keys, values, count);
  }

  private void expect(Anomaly... anomalies) {
    assertThat(checks.report().counts().keySet()).isEqualTo(Set.of(anomalies));
    assertThat(checks.report().violations()).isNotEmpty();
  }

  @Test
  void acceptsWhatIsWhole() {
    put(1, 0, 1, 10, 11);
    put(2, 2, 3, 11, 12);
    checks.seal();
    read(10, 1, 11, 1, 12, 0);
    read(10, 1, 11, 2, 12, 2);
    checks.atRest(READER, 11, 2);
    assertThat(checks.report())
        .isEqualTo(new HistoryReport(2, 2, 1, Map.of(), checks.report().violations()));
    assertThat(checks.report().isClean()).isTrue();
  }

  @Test
  void findsAHalf() {
    put(1, 0, 1, 10, 11);
    put(2, 2, 3, 10, 11);
    checks.seal();
    read(10, 2, 11, 1);
    expect(Anomaly.FRACTURED);
  }

  @Test
  void findsAHalfBesideNothing() {
    put(1, 0, 1, 10, 11);
    checks.seal();
    read(11, 0, 10, 1);
    expect(Anomaly.FRACTURED);
  }

  @Test
  void acceptsNewerVersionsBesideAHalf() {
    put(1, 0, 1, 10, 11);
    put(2, 2, 3, 11);
    checks.seal();
    read(10, 1, 11, 2);
    assertThat(checks.report().isClean()).isTrue();
  }

  @Test
  void findsAHalfWithoutTimestamps() {
    for (long transaction = 1; transaction <= 2; transaction++) {
      checks.wrote(transaction, 10);
      checks.wrote(transaction, 11);
    }
    checks.seal();
    read(10, 1, 11, 2);
    expect(Anomaly.FRACTURED);
  }

  @Test
  void ordersByTimeWhatHasNoTimestamp() {
    checks.wrote(1, 10);
    checks.wrote(1, 11);
    checks.acknowledged(1, 0, 1);
    checks.wrote(2, 10);
    checks.acknowledged(2, 2, 3);
    checks.wrote(3, 11);
    checks.acknowledged(3, -2, -1);
    checks.seal();
    read(10, 1, 11, 3);
    expect(Anomaly.FRACTURED);
  }

  @Test
  void findsTwoVersionsOfOneKey() {
    put(1, 0, 1, 10);
    put(2, 2, 3, 10);
    checks.seal();
    read(10, 1, 10, 2);
    expect(Anomaly.UNREPEATABLE);
  }

  @Test
  void findsASessionThatGoesBack() {
    put(1, 0, 1, 10);
    put(2, 2, 3, 10);
    checks.seal();
    read(10, 2);
    read(10, 1);
    expect(Anomaly.NOT_MONOTONIC);
  }

  @Test
  void letsOtherSessionsGoBack() {
    put(1, 0, 1, 10);
    put(2, 2, 3, 10);
    checks.seal();
    read(10, 2);
    checks.read(SESSION + 1, READER, new long[] {10}, new long[] {1}, 1);
    assertThat(checks.report().isClean()).isTrue();
  }

  @Test
  void findsAnOwnWriteMissed() {
    put(1, 0, 1, 10);
    checks.seal();
    checks.sessionWrote(SESSION, 1, 10);
    read(10, 0);
    expect(Anomaly.OWN_WRITE_MISSED);
  }

  @Test
  void findsAPutBelowWhatWasSeen() {
    put(9, 0, 2, 10);
    put(2, 1, 3, 10);
    checks.seal();
    read(10, 9);
    checks.sessionWrote(SESSION, 2, 10);
    expect(Anomaly.WRITE_BEHIND_READ);
  }

  @Test
  void findsWhatFailed() {
    put(1, 0, 1, 10);
    checks.aborted(1);
    checks.seal();
    read(10, 1);
    expect(Anomaly.ABORTED);
  }

  @Test
  void findsTwoTimestampsOfOneTransaction() {
    put(1, 0, 1, 10);
    checks.timestamp(1, new Timestamp(5, 5));
    checks.seal();
    expect(Anomaly.INTERMEDIATE);
  }

  @Test
  void findsWhatNobodyWrote() {
    put(1, 0, 1, 10);
    checks.seal();
    read(10, 99);
    expect(Anomaly.THIN_AIR);
  }

  @Test
  void findsWhatWasWrittenElsewhere() {
    put(1, 0, 1, 10);
    put(2, 2, 3, 11);
    checks.seal();
    read(10, 2);
    expect(Anomaly.THIN_AIR);
  }

  @Test
  void findsWhatIsLost() {
    put(1, 0, 1, 10);
    put(2, 2, 3, 10);
    checks.seal();
    checks.atRest(READER, 10, 1);
    expect(Anomaly.LOST);
  }

  @Test
  void findsAPutThatIsBeaten() {
    put(9, 0, 1, 10);
    put(2, 2, 3, 10);
    checks.seal();
    expect(Anomaly.BEATEN);
  }

  @Test
  void letsPutsRace() {
    put(9, 0, 2, 10);
    put(2, 1, 3, 10);
    checks.seal();
    assertThat(checks.report().isClean()).isTrue();
  }

  @Test
  void looksForWhatIsWantedOnly() {
    var some = new TransactionChecks(Set.of(Anomaly.LOST), false);
    some.wrote(1, 10);
    some.seal();
    some.read(SESSION, READER, new long[] {10}, new long[] {99}, 1);
    assertThat(some.report().isClean()).isTrue();
  }

  @Test
  void takesNothingForAPurgedDeletion() {
    var purging = new TransactionChecks(TransactionChecks.all(), true);
    purging.wrote(1, 10);
    purging.timestamp(1, new Timestamp(1, 0));
    purging.acknowledged(1, 0, 1);
    purging.wrote(2, 10);
    purging.wrote(2, 11);
    purging.deleted(2, 10);
    purging.timestamp(2, new Timestamp(2, 0));
    purging.acknowledged(2, 2, 3);
    purging.seal();
    purging.read(SESSION, READER, new long[] {10}, new long[] {1}, 1);
    purging.read(SESSION, READER, new long[] {11, 10}, new long[] {2, 0}, 2);
    purging.atRest(READER, 10, 0);
    assertThat(purging.report().isClean()).isTrue();
  }

  @Test
  void takesNothingForNoDeletionThatIsOlder() {
    var purging = new TransactionChecks(TransactionChecks.all(), true);
    purging.wrote(1, 10);
    purging.deleted(1, 10);
    purging.timestamp(1, new Timestamp(1, 0));
    purging.wrote(2, 10);
    purging.wrote(2, 11);
    purging.timestamp(2, new Timestamp(2, 0));
    purging.seal();
    purging.read(SESSION, READER, new long[] {11, 10}, new long[] {2, 0}, 2);
    assertThat(purging.report().counts()).containsOnlyKeys(Anomaly.FRACTURED);
  }
}
