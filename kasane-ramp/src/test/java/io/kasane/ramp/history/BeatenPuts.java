/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.Arrays;

/**
 * Finds acknowledged puts that lie below one that had been acknowledged before they began: their
 * client was told that they are done, and nobody ever sees them.
 */
final class BeatenPuts {
  private final Writers writers;
  private final LongIndex keys;
  private final AnomalyLog log;

  BeatenPuts(Writers writers, LongIndex keys, AnomalyLog log) {
    this.writers = writers;
    this.keys = keys;
    this.log = log;
  }

  void check() {
    int[] offsets = new int[keys.size() + 1];
    forEachWrite((key, writer) -> offsets[key + 1]++);
    for (int key = 0; key < keys.size(); key++) {
      offsets[key + 1] += offsets[key];
    }
    int[] byKey = new int[offsets[keys.size()]];
    int[] next = offsets.clone();
    forEachWrite((key, writer) -> byKey[next[key]++] = writer);
    for (int key = 0; key < keys.size(); key++) {
      checkKey(key, Arrays.copyOfRange(byKey, offsets[key], offsets[key + 1]));
    }
  }

  private interface WriteVisitor {
    void visit(int key, int writer);
  }

  private void forEachWrite(WriteVisitor visitor) {
    for (int writer = 0; writer < writers.size(); writer++) {
      if (!writers.isAcknowledged(writer) || !writers.hasTimestamp(writer)) {
        continue;
      }
      for (int w = writers.firstWrite(writer); w >= 0; w = writers.nextWrite(w)) {
        visitor.visit(writers.key(w), writer);
      }
    }
  }

  private void checkKey(int key, int[] ofKey) {
    int[] begun = sorted(ofKey, false);
    int[] ended = sorted(ofKey, true);
    int newest = -1;
    int done = 0;
    for (int writer : begun) {
      while (done < ended.length && writers.ended(ended[done]) < writers.began(writer)) {
        newest = newest < 0 || writers.isOlder(newest, ended[done]) ? ended[done] : newest;
        done++;
      }
      if (newest >= 0 && writers.isOlder(writer, newest)) {
        log.add(
            Anomaly.BEATEN,
            writers.transaction(writer),
            keys.valueOf(key),
            "at "
                + writers.timestamp(writer)
                + ", and "
                + writers.transaction(newest)
                + " at "
                + writers.timestamp(newest)
                + " was acknowledged before");
      }
    }
  }

  /** By when they began or ended, without boxes for keys that are written often. */
  private int[] sorted(int[] ofKey, boolean byEnd) {
    long[] times = new long[ofKey.length];
    for (int i = 0; i < ofKey.length; i++) {
      times[i] = byEnd ? writers.ended(ofKey[i]) : writers.began(ofKey[i]);
    }
    return Sorting.byTimes(ofKey, times);
  }
}
