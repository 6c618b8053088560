/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import io.kasane.ramp.protocol.CollectionKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What reads showed of the generations of collections, of those last used. Thread-safe. */
final class KnownGenerations {
  private static final int MAX_COLLECTIONS = 10_000;

  private final Map<CollectionKey, Known> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<CollectionKey, Known> eldest) {
          return size() > MAX_COLLECTIONS;
        }
      };

  /** What to ask for: more generations may have come since. */
  synchronized Generations of(CollectionKey collection) {
    Known last = known.get(collection);
    return last == null ? Generations.NONE : last.generations;
  }

  /** What is known of it may be wrong. */
  synchronized void forget(CollectionKey collection) {
    known.remove(collection);
  }

  /** What a quorum showed, and when it was asked. */
  synchronized Optional<Known> byQuorum(CollectionKey collection) {
    return Optional.ofNullable(known.get(collection)).filter(last -> last.asked.isPresent());
  }

  /**
   * A read showed this.
   *
   * @param asked when it was sent
   * @param quorum whether a quorum answered; what fewer say may be old
   */
  synchronized void saw(
      CollectionKey collection, Generations generations, Moment asked, boolean quorum) {
    Known last = known.get(collection);
    Optional<Moment> before = last == null ? Optional.empty() : last.asked;
    if (quorum) {
      if (before.isEmpty() || !before.get().isAfter(asked)) {
        known.put(collection, new Known(generations, Optional.of(asked)));
      }
    } else if (generations.stage() > of(collection).stage()) {
      known.put(collection, new Known(generations, before));
    }
  }

  /**
   * What is known of a collection.
   *
   * @param asked when the quorum was asked that showed this, or less
   */
  record Known(Generations generations, Optional<Moment> asked) {}

  /** A moment on this machine's two clocks, since one of them may stand still, or be set. */
  record Moment(long nanos, long millis) {
    static Moment now() {
      return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    boolean isAfter(Moment other) {
      return nanos - other.nanos > 0;
    }

    /** Whether that long has passed by either clock. */
    boolean mayBeOlderThan(Duration age) {
      return System.nanoTime() - nanos > age.toNanos()
          || System.currentTimeMillis() - millis > age.toMillis();
    }

    /** Whether that long has passed by both clocks. */
    boolean isOlderThan(Duration age) {
      return System.nanoTime() - nanos > age.toNanos()
          && System.currentTimeMillis() - millis > age.toMillis();
    }
  }
}
