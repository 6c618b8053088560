/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.cassandra.db.BufferDecoratedKey;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Keys that reads just found on slow and that belong on fast, the latest first, since its blocks
 * are surest to be in memory still. Bounded in number and in bytes: the oldest leave; if one is
 * hot, it is read again. Thread-safe.
 */
final class WantedKeys {
  private static final int MAX_KEYS = 1_024; // more have left memory before they are read
  private static final long MAX_BYTES = 1 << 20; // keys may be 64 KiB each

  private final Deque<DecoratedKey> keys = new ArrayDeque<>();
  private final Set<DecoratedKey> waiting = new HashSet<>();
  private int olderThanPolled;
  private long bytes;

  synchronized void offer(DecoratedKey key) {
    if (waiting.contains(key)) {
      return;
    }
    // The reader's bytes may be part of a message that would be kept alive.
    DecoratedKey own = new BufferDecoratedKey(key.getToken(), ByteBufferUtil.clone(key.getKey()));
    waiting.add(own);
    keys.addFirst(own);
    bytes += own.getKeyLength();
    while (keys.size() > MAX_KEYS || bytes > MAX_BYTES) {
      removeOldest();
      olderThanPolled = Math.max(0, olderThanPolled - 1);
    }
  }

  private void removeOldest() {
    DecoratedKey oldest = keys.removeLast();
    waiting.remove(oldest);
    bytes -= oldest.getKeyLength();
  }

  /** The latest key, or null. */
  synchronized DecoratedKey poll() {
    DecoratedKey key = keys.pollFirst();
    waiting.remove(key);
    bytes -= key == null ? 0 : key.getKeyLength();
    olderThanPolled = keys.size();
    return key;
  }

  /** Forgets the keys that were offered before the one that was polled last. */
  synchronized void dropOlder() {
    for (; olderThanPolled > 0; olderThanPolled--) {
      removeOldest();
    }
  }

  synchronized void clear() {
    keys.clear();
    waiting.clear();
    bytes = 0;
    olderThanPolled = 0;
  }
}
