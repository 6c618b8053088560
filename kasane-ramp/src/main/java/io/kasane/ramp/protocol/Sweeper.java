/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Has deletions swept out of collections in which reads meet more of them than live items: at once
 * the first step, and the second one a window and a clock drift later. Thread-safe.
 */
final class Sweeper {
  private static final int MIN_DELETIONS = 128;
  private static final int MAX_PLANNED = 10_000;

  private final VersionStore store;
  private final RampStatistics statistics;
  private final Scheduler scheduler;
  private final long betweenNanos;
  private final Set<CollectionKey> planned = new HashSet<>();

  Sweeper(VersionStore store, RampOptions options, RampStatistics statistics, Scheduler scheduler) {
    this.store = store;
    this.statistics = statistics;
    this.scheduler = scheduler;
    this.betweenNanos = options.gcWindow().plus(options.maxClockDrift()).toNanos();
  }

  /** A read met these items. */
  void seen(CollectionKey collection, Map<ItemKey, Version> items) {
    long deletions = items.values().stream().filter(Version::isDeletion).count();
    if (deletions < MIN_DELETIONS || deletions * 2 <= items.size() || !plan(collection)) {
      return;
    }
    store
        .openSweep(collection.table(), collection.partition())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                scheduler.at(scheduler.now() + betweenNanos, () -> sweep(collection));
              } else {
                ended(collection);
              }
            });
  }

  private boolean plan(CollectionKey collection) {
    synchronized (planned) {
      return planned.size() < MAX_PLANNED && planned.add(collection);
    }
  }

  private CompletionStage<Void> sweep(CollectionKey collection) {
    return store
        .sweep(collection.table(), collection.partition())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                statistics.sweeps.increment();
              }
              ended(collection);
            });
  }

  private void ended(CollectionKey collection) {
    synchronized (planned) {
      planned.remove(collection);
    }
  }
}
