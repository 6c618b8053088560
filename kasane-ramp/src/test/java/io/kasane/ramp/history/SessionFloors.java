/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.Arrays;

/** The newest version of each key that each session has seen or written. Not thread-safe. */
final class SessionFloors {
  private final LongIndex sessions = new LongIndex();
  private final LongIndex entries = new LongIndex();
  private int[] writer = new int[16];
  private boolean[] own = new boolean[16];

  /** The entry of that session and key, negative where there is none. */
  int find(long session, int key) {
    int number = sessions.find(session);
    return number < 0 ? LongIndex.NONE : entries.find(entryOf(number, key));
  }

  int writer(int entry) {
    return writer[entry];
  }

  /** Whether the session wrote that version itself. */
  boolean isOwn(int entry) {
    return own[entry];
  }

  void raise(long session, int key, int newWriter, boolean isOwn, Writers order) {
    int known = entries.size();
    int entry = entries.add(entryOf(sessions.add(session), key));
    if (entry == writer.length) {
      writer = Arrays.copyOf(writer, entry * 2);
      own = Arrays.copyOf(own, entry * 2);
    }
    if (entry == known || order.isOlder(writer[entry], newWriter)) {
      writer[entry] = newWriter;
      own[entry] = isOwn;
    }
  }

  private static long entryOf(int session, int key) {
    return (long) session << 32 | key;
  }
}
