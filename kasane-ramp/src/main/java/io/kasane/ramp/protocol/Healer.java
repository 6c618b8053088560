/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Makes a transaction of its own of what is left of one that lost versions. Thread-safe. */
final class Healer {
  private final VersionStore store;
  private final RampOptions options;
  private final HybridLogicalClock clock;
  private final Writes writes;

  Healer(VersionStore store, RampOptions options, HybridLogicalClock clock, Writes writes) {
    this.store = store;
    this.options = options;
    this.clock = clock;
    this.writes = writes;
  }

  /** A microsecond above the lost transaction, so that it beats nothing newer. */
  CompletionStage<Timestamp> heal(LostVersionException lost) {
    Timestamp timestamp = lost.timestamp();
    TreeSet<ItemKey> all = new TreeSet<>(lost.lost());
    all.addAll(lost.survivors());
    List<ItemKey> keys = List.copyOf(all);
    List<CandidateQuery> queries =
        keys.stream().map(key -> new CandidateQuery(key, Set.of(timestamp))).toList();
    return store
        .readCandidates(queries, Strength.ALL)
        .thenCompose(
            answers -> {
              Map<ItemKey, Optional<Bytes>> left = new TreeMap<>();
              for (int index = 0; index < keys.size(); index++) {
                ItemKey key = keys.get(index);
                left(answers.get(index), timestamp)
                    .ifPresent(version -> left.put(key, version.value()));
              }
              return rewrite(timestamp, left);
            });
  }

  private CompletionStage<Timestamp> rewrite(
      Timestamp timestamp, Map<ItemKey, Optional<Bytes>> left) {
    if (left.isEmpty()) {
      return CompletableFuture.completedFuture(timestamp);
    }
    return writes.putAt(clock.rightAbove(timestamp), left, Limits.check(left, options)).outcome();
  }

  /** Committed or not: that it is demanded says that the transaction was decided. */
  private static Optional<Version> left(Candidates answer, Timestamp timestamp) {
    if (answer.committed().marker().isAfter(timestamp)) {
      return Optional.empty();
    }
    if (answer.committed() instanceof Answer.Present present
        && present.version().timestamp().equals(timestamp)) {
      return Optional.of(present.version());
    }
    return Optional.ofNullable(answer.prepared().get(timestamp));
  }
}
