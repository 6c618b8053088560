/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.PendingPut;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Collects what to write at once, to any tables of the session: whoever reads several of its keys
 * sees all of it or nothing. Of two writes to one key the later one counts. For one thread.
 */
public final class RampTransaction {
  private final RampSession session;
  private final Map<ItemKey, Optional<Bytes>> writes = new LinkedHashMap<>();
  private boolean isCommitted;

  RampTransaction(RampSession session) {
    this.session = session;
  }

  /** Puts a value under a key. */
  public <K, V> RampTransaction put(RampTable<K, V> table, K key, V value) {
    writes.put(table.keyOf(key), Optional.of(table.bytesOf(value)));
    return this;
  }

  /** Puts values under keys. */
  public <K, V> RampTransaction put(RampTable<K, V> table, Map<? extends K, ? extends V> values) {
    values.forEach((key, value) -> put(table, key, value));
    return this;
  }

  /** Adds an item to a collection, or replaces its value; the collection is not read. */
  public <K, I, V> RampTransaction put(RampCollection<K, I, V> collection, K key, I item, V value) {
    writes.put(collection.keyOf(key, item), Optional.of(collection.bytesOf(value)));
    return this;
  }

  /** Deletes a key. */
  public <K> RampTransaction delete(RampTable<K, ?> table, K key) {
    writes.put(table.keyOf(key), Optional.empty());
    return this;
  }

  /** Deletes keys. */
  public <K> RampTransaction delete(RampTable<K, ?> table, Collection<? extends K> keys) {
    keys.forEach(key -> delete(table, key));
    return this;
  }

  /** Removes an item from a collection; the collection is not read. */
  public <K, I> RampTransaction delete(RampCollection<K, I, ?> collection, K key, I item) {
    writes.put(collection.keyOf(key, item), Optional.empty());
    return this;
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return writes.isEmpty();
  }

  /**
   * Writes it all, once: what failed is tried again with {@link RampSession#retry}.
   *
   * @return the transaction's timestamp; {@link Timestamp#NONE} if there was nothing to write
   * @throws io.kasane.ramp.protocol.NotCommittedException if nobody will see it
   * @throws io.kasane.ramp.protocol.UnknownOutcomeException if somebody may, and where the thread
   *     was interrupted while it waited; both carry a handle that tries the same transaction again
   * @throws IllegalStateException if it was committed before
   */
  public Timestamp commit() {
    Waiting.requireMayWait("commit");
    Optional<PendingPut> put = begin();
    return put.isEmpty()
        ? Timestamp.NONE
        : Waiting.get("commit", put.get().outcome(), put.get()::abandoned);
  }

  /** As {@link #commit}; the stage completes where the answer comes in. */
  public CompletionStage<Timestamp> commitAsync() {
    try {
      return begin()
          .map(PendingPut::outcome)
          .orElseGet(() -> CompletableFuture.completedStage(Timestamp.NONE));
    } catch (RampException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private Optional<PendingPut> begin() {
    if (isCommitted) {
      throw new IllegalStateException(
          "this transaction was committed before: a second one with the same writes could overwrite"
              + " somebody who built on the first. Try again with RampSession.retry");
    }
    isCommitted = true;
    return writes.isEmpty() ? Optional.empty() : Optional.of(session.write(writes));
  }
}
