/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Commits values that were read elsewhere, below all transactions. Thread-safe.
 *
 * <p>A seed has no siblings, so no other key can demand it, and it is committed without PREPARE.
 * Its timestamp does not depend on any clock being right: the store keeps what a transaction wrote,
 * whichever of the two comes first. The clock decides between two seeds only.
 */
final class Seeder {
  private static final SiblingNames ALONE = new SiblingNames(Set.of());

  private final VersionStore store;
  private final RampOptions options;
  private final HybridLogicalClock clock;

  Seeder(VersionStore store, RampOptions options, HybridLogicalClock clock) {
    this.store = store;
    this.options = options;
    this.clock = clock;
  }

  /** Looks first: what is there already, or was beaten, costs no write. */
  CompletionStage<Set<ItemKey>> seed(
      Map<ItemKey, Bytes> values, long order, Deadlines.Expiry expiry) {
    clock.requireRight();
    values.forEach((key, value) -> Limits.check(key, value.length(), options));
    Timestamp timestamp = Timestamp.ofSeed(order);
    return committed(values.keySet())
        .thenCompose(
            seen -> {
              expiry.check();
              List<Write> writes = new ArrayList<>();
              values.forEach(
                  (key, value) -> {
                    Version seed = new Version(timestamp, ALONE, Optional.of(value));
                    if (isAbove(seed, seen.get(key))) {
                      writes.add(new Write(key, seed));
                    }
                  });
              return commit(writes);
            });
  }

  private static boolean isAbove(Version seed, Answer seen) {
    boolean isSame =
        seen instanceof Answer.Present present
            && present.version().timestamp().isSeed()
            && present.version().value().equals(seed.value());
    return !isSame && seed.timestamp().isAfter(seen.marker());
  }

  private CompletionStage<Set<ItemKey>> commit(List<Write> writes) {
    if (writes.isEmpty()) {
      return CompletableFuture.completedFuture(Set.of());
    }
    Set<ItemKey> keys = writes.stream().map(Write::key).collect(Collectors.toSet());
    return store
        .commit(writes)
        .thenCompose(nothing -> keepDeletions(keys))
        .thenApply(nothing -> keys);
  }

  /**
   * A sweep may leave the deletion of an item where it is found by name only, and forgotten after
   * its grace, while the seed lies where the collection is read. So a deletion that came between
   * the look and the commit is written over the seed.
   */
  private CompletionStage<Void> keepDeletions(Set<ItemKey> keys) {
    Set<ItemKey> items =
        keys.stream().filter(key -> key.item().length() > 0).collect(Collectors.toSet());
    if (items.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return committed(items)
        .thenCompose(
            seen -> {
              List<Write> deletions = new ArrayList<>();
              seen.forEach(
                  (key, answer) -> {
                    if (answer instanceof Answer.Present present
                        && present.version().isDeletion()) {
                      deletions.add(new Write(key, present.version()));
                    }
                  });
              return deletions.isEmpty()
                  ? CompletableFuture.<Void>completedFuture(null)
                  : store.commit(deletions);
            });
  }

  /** Those of which a quorum has nothing. */
  CompletionStage<Set<ItemKey>> missing(Collection<ItemKey> keys) {
    return committed(keys)
        .thenApply(
            seen ->
                seen.keySet().stream()
                    .filter(key -> seen.get(key).marker().equals(Timestamp.NONE))
                    .collect(Collectors.toSet()));
  }

  private CompletionStage<Map<ItemKey, Answer>> committed(Collection<ItemKey> keys) {
    List<ItemKey> inOrder = keys.stream().sorted(Comparator.naturalOrder()).toList();
    return store
        .readCommitted(inOrder, Strength.QUORUM)
        .thenApply(
            answers -> {
              Map<ItemKey, Answer> seen = new LinkedHashMap<>();
              for (int index = 0; index < inOrder.size(); index++) {
                if (answers.get(index) instanceof Answer.Miss) {
                  throw UnavailableException.unknown(inOrder.get(index));
                }
                seen.put(inOrder.get(index), answers.get(index));
              }
              return seen;
            });
  }
}
