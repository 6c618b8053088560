/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.Arrays;

/** Which of two versions of a key is the older one, where one of them may be none. */
final class VersionOrder {
  private static final int NONE = -1;

  private final Writers writers;
  private final boolean absenceMayBeDeletion;
  private int[] newestDeletion = new int[0];
  private int[] newestAcknowledged = new int[0];

  VersionOrder(Writers writers, boolean absenceMayBeDeletion) {
    this.writers = writers;
    this.absenceMayBeDeletion = absenceMayBeDeletion;
  }

  void seal(int keys) {
    newestDeletion = new int[keys];
    newestAcknowledged = new int[keys];
    Arrays.fill(newestDeletion, NONE);
    Arrays.fill(newestAcknowledged, NONE);
    for (int writer = 0; writer < writers.size(); writer++) {
      for (int w = writers.firstWrite(writer); w >= 0; w = writers.nextWrite(w)) {
        int key = writers.key(w);
        if (writers.isDeletion(w) && isNewer(writer, newestDeletion[key])) {
          newestDeletion[key] = writer;
        }
        int acknowledged = newestAcknowledged[key];
        if (writers.isAcknowledged(writer)
            && (acknowledged < 0 || writers.isOlder(acknowledged, writer))) {
          newestAcknowledged[key] = writer;
        }
      }
    }
  }

  /** A deletion of unknown timestamp may be the newest, and excuses what is not seen. */
  private boolean isNewer(int writer, int newest) {
    return !writers.isAborted(writer)
        && (newest < 0 || !writers.hasTimestamp(writer) || writers.isOlder(newest, writer));
  }

  /** The newest transaction that was acknowledged and wrote the key, negative where none was. */
  int newestAcknowledged(int key) {
    return newestAcknowledged[key];
  }

  /** Whether what is shown, negative for nothing, is known to be older than that write. */
  boolean isOlder(int key, int shown, int writer) {
    if (shown >= 0) {
      return writers.isOlder(shown, writer);
    }
    int deletion = newestDeletion[key];
    return !absenceMayBeDeletion || deletion < 0 || writers.isOlder(deletion, writer);
  }
}
