/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the keys of a table had before they were changed, for snapshots that are older than the
 * change: Redis has no snapshots of its own, and this process is the only one that changes it. The
 * writer keeps the old values before it sends a change; a reader looks here after it has read, so
 * that it sees either the change here or none at all. Thread-safe.
 *
 * <p>A snapshot for which more would have to be kept than there is memory for is too old, and says
 * so when it is read.
 */
final class UndoLog {
  /** What is kept of a key that has no value, and of one that has. */
  private static final int ENTRY_BYTES = 100;

  /** What the logs of all tables of an engine keep. */
  static final class Budget {
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();

    /** As many bytes of keys and values in memory. */
    Budget(long maxBytes) {
      this.maxBytes = maxBytes;
    }
  }

  /** A value that was replaced; null where there was none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Old(byte[] value) {}

  private final String table;
  private final Budget budget;

  /** By key: the batch that replaced it, and what it was. */
  private final NavigableMap<byte[], NavigableMap<Long, Old>> replaced =
      new TreeMap<>(Arrays::compareUnsigned);

  private final NavigableMap<Long, List<byte[]>> keysOfBatch = new TreeMap<>();
  private final NavigableMap<Long, Integer> snapshots = new TreeMap<>();
  private long applied;
  private long forgottenTo;
  private int waiting;
  private boolean isUnguarded;

  /**
   * Nothing is kept yet.
   *
   * @param table what errors call it
   * @param budget of all tables
   */
  UndoLog(String table, Budget budget) {
    this.table = table;
    this.budget = budget;
  }

  // ---- snapshots

  /** Opens a snapshot, which is as old as the batch of the number that is returned. */
  synchronized long open() {
    awaitGuarded();
    snapshots.merge(applied, 1, Integer::sum);
    return applied;
  }

  /** A batch is under way whose old values nobody keeps: it takes no longer than a call may. */
  private void awaitGuarded() {
    waiting++; // the next batch is guarded
    try {
      while (isUnguarded) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, table + ": interrupted", e);
    } finally {
      waiting--;
    }
  }

  synchronized void close(long snapshot) {
    snapshots.merge(snapshot, -1, (count, one) -> count + one == 0 ? null : count + one);
    forget(snapshots.isEmpty() ? applied : snapshots.firstKey());
  }

  synchronized boolean hasSnapshots() {
    return !snapshots.isEmpty();
  }

  /** Returns what a key had when a snapshot was opened; null if it has not changed since. */
  synchronized Old find(long snapshot, byte[] key) {
    requireKept(snapshot);
    NavigableMap<Long, Old> changes = replaced.get(key);
    return changes == null ? null : first(changes, snapshot);
  }

  /** The same of all keys of a range that have changed since. */
  synchronized NavigableMap<byte[], Old> find(
      long snapshot, byte[] from, boolean fromInclusive, byte[] to, boolean toInclusive) {
    requireKept(snapshot);
    NavigableMap<byte[], Old> found = new TreeMap<>(Arrays::compareUnsigned);
    NavigableMap<byte[], NavigableMap<Long, Old>> range =
        to == null
            ? replaced.tailMap(from, fromInclusive)
            : replaced.subMap(from, fromInclusive, to, toInclusive);
    range.forEach(
        (key, changes) -> {
          Old old = first(changes, snapshot);
          if (old != null) {
            found.put(key, old);
          }
        });
    return found;
  }

  private static Old first(NavigableMap<Long, Old> changes, long snapshot) {
    Map.Entry<Long, Old> change = changes.higherEntry(snapshot);
    return change == null ? null : change.getValue();
  }

  private void requireKept(long snapshot) {
    if (snapshot < forgottenTo) {
      throw new EngineException(
          Kind.STALE,
          String.format(
              "%s: what is read is too old: more than %,d bytes have changed since",
              table, budget.maxBytes));
    }
  }

  // ---- the writer

  /** Begins a batch, and returns whether its old values are to be kept. */
  synchronized boolean begin() {
    isUnguarded = snapshots.isEmpty() && waiting == 0;
    return !isUnguarded;
  }

  /** Keeps what the batch that was begun replaces, before it is sent. */
  synchronized void keep(List<byte[]> keys, List<byte[]> values) {
    long batch = applied + 1;
    keysOfBatch.put(batch, new ArrayList<>(keys));
    for (int i = 0; i < keys.size(); i++) {
      replaced
          .computeIfAbsent(keys.get(i), key -> new TreeMap<>())
          .put(batch, new Old(values.get(i)));
      budget.bytes.addAndGet(bytesOf(keys.get(i), values.get(i)));
    }
    while (budget.bytes.get() > budget.maxBytes && keysOfBatch.size() > 1) {
      forgottenTo = keysOfBatch.firstKey();
      forget(forgottenTo);
    }
  }

  /** The batch was sent, whether or not the server has answered. */
  synchronized void end() {
    applied++;
    isUnguarded = false;
    forget(snapshots.isEmpty() ? applied : snapshots.firstKey());
    notifyAll();
  }

  /** No snapshot needs what batches up to one have replaced. */
  private void forget(long upTo) {
    NavigableMap<Long, List<byte[]>> old = keysOfBatch.headMap(upTo, true);
    old.forEach(
        (batch, keys) ->
            keys.forEach(
                key -> {
                  NavigableMap<Long, Old> changes = replaced.get(key);
                  budget.bytes.addAndGet(-bytesOf(key, changes.remove(batch).value()));
                  if (changes.isEmpty()) {
                    replaced.remove(key);
                  }
                }));
    old.clear();
  }

  private static long bytesOf(byte[] key, byte[] value) {
    return (long) ENTRY_BYTES + key.length + (value == null ? 0 : value.length);
  }
}
