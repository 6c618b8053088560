/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Collects what to read at once, from any tables of the session. For one thread. */
public final class RampRead {
  private final RampSession session;
  private final Set<ItemKey> keys = new HashSet<>();
  private final Set<ItemRange> ranges = new HashSet<>();

  RampRead(RampSession session) {
    this.session = session;
  }

  /** Adds keys of a table. */
  @SafeVarargs
  public final <K> RampRead get(RampTable<K, ?> table, K... more) {
    return get(table, Arrays.asList(more));
  }

  /** Adds keys of a table. */
  public <K> RampRead get(RampTable<K, ?> table, Collection<? extends K> more) {
    more.forEach(key -> keys.add(table.keyOf(key)));
    return this;
  }

  /** Adds one item of a collection. */
  public <K, I> RampRead item(RampCollection<K, I, ?> collection, K key, I item) {
    keys.add(collection.keyOf(key, item));
    return this;
  }

  /** Adds all items of a collection. */
  public <K> RampRead items(RampCollection<K, ?, ?> collection, K key) {
    ranges.add(collection.keyOf(key).all());
    return this;
  }

  /** Adds some items of a collection. */
  public <K, I> RampRead items(RampCollection<K, I, ?> collection, K key, RampRange<I> range) {
    ranges.add(range.of(collection, key));
    return this;
  }

  /**
   * Reads it all, read-atomic.
   *
   * @throws io.kasane.ramp.protocol.RampException if that is not possible; its kinds say why
   */
  public RampRows run() {
    Waiting.requireMayWait("run");
    return Waiting.get("run", runAsync());
  }

  /** As {@link #run}; the stage completes where the answer comes in. */
  public CompletionStage<RampRows> runAsync() {
    return session.read(wanted());
  }

  ReadSet wanted() {
    return new ReadSet(keys, ranges);
  }
}
