/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Has collections swept in which a read met more deleted items than live ones, so that a read costs
 * what is live. Thread-safe.
 *
 * <p>What is swept are the deletions that the read met, a window and a clock drift later on the
 * monotonic clock: by then no put is given a timestamp below theirs. No wall clock has a say in it,
 * but that deletions from the future are left alone.
 */
final class Sweeper {
  private static final int LEAST_DELETIONS = 128;
  private static final int MAX_PLANNED = 10_000;

  private final VersionStore store;
  private final Environment environment;
  private final RampStatistics statistics;
  private final HybridLogicalClock clock;
  private final Agenda agenda;
  private final long unknownNanos;
  private final long driftMicros;
  private final Set<CollectionKey> planned = new HashSet<>();

  Sweeper(
      VersionStore store,
      RampOptions options,
      Environment environment,
      RampStatistics statistics,
      HybridLogicalClock clock,
      Agenda agenda) {
    this.store = store;
    this.environment = environment;
    this.statistics = statistics;
    this.clock = clock;
    this.agenda = agenda;
    this.unknownNanos = options.gcWindow().plus(options.maxClockDrift()).toNanos();
    this.driftMicros = options.maxClockDrift().toNanos() / 1000;
  }

  /** A read met these items. */
  void seen(CollectionKey collection, Map<ItemKey, Version> items) {
    List<Version> deletions = items.values().stream().filter(Version::isDeletion).toList();
    if (deletions.size() < LEAST_DELETIONS || deletions.size() * 2 <= items.size()) {
      return;
    }
    long latestMicros = environment.wallMicros() + driftMicros;
    Optional<Timestamp> upTo =
        deletions.stream()
            .map(Version::timestamp)
            .filter(timestamp -> timestamp.micros() <= latestMicros)
            .max(Comparator.naturalOrder());
    if (upTo.isPresent() && plan(collection)) {
      agenda.at(agenda.now() + unknownNanos, () -> sweep(collection, upTo.get()));
    }
  }

  private boolean plan(CollectionKey collection) {
    synchronized (planned) {
      return planned.size() < MAX_PLANNED && planned.add(collection);
    }
  }

  /** Nothing younger than the clock says by now: it may have been wrong when the read met it. */
  private CompletionStage<Void> sweep(CollectionKey collection, Timestamp upTo) {
    long latestMicros = environment.wallMicros() - unknownNanos / 1000;
    CompletionStage<Void> swept =
        clock.isRight()
            ? store.sweep(
                collection.table(), collection.partition(), Math.min(upTo.micros(), latestMicros))
            : CompletableFuture.failedFuture(new RampException("this clock is wrong"));
    return swept.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            statistics.sweeps.increment();
          }
          synchronized (planned) {
            planned.remove(collection);
          }
        });
  }
}
