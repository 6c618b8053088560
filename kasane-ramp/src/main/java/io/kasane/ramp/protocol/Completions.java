/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Commits for writers that died, or are slow, what a reader took before it was committed. That is
 * safe: a version is demanded only by one whose whole transaction is prepared. Thread-safe.
 */
final class Completions {
  private static final int MAX_REMEMBERED = 10_000;

  private final VersionStore store;
  private final RampStatistics statistics;
  private final VersionGc versionGc;
  private final Set<Done> remembered = new LinkedHashSet<>();

  Completions(VersionStore store, RampStatistics statistics, VersionGc versionGc) {
    this.store = store;
    this.statistics = statistics;
    this.versionGc = versionGc;
  }

  /** Sends commits, at most one of each version while it is remembered, and waits for none. */
  void complete(List<Write> taken) {
    List<Write> fresh = new ArrayList<>();
    synchronized (remembered) {
      for (Write write : taken) {
        if (remembered.add(new Done(write.key(), write.version().timestamp()))) {
          fresh.add(write);
        }
      }
      while (remembered.size() > MAX_REMEMBERED) {
        remembered.remove(remembered.iterator().next());
      }
    }
    if (fresh.isEmpty()) {
      return;
    }
    statistics.completions.add(fresh.size());
    store
        .commit(fresh)
        .whenComplete(
            (nothing, failure) -> {
              if (failure == null) {
                versionGc.committed(fresh);
              } else {
                forget(fresh);
              }
            });
  }

  private void forget(List<Write> failed) {
    Set<Done> done = new HashSet<>();
    failed.forEach(write -> done.add(new Done(write.key(), write.version().timestamp())));
    synchronized (remembered) {
      remembered.removeAll(done);
    }
  }

  private record Done(ItemKey key, Timestamp timestamp) {}
}
