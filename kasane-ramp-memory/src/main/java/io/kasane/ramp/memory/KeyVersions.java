/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The versions of one key. Not thread-safe. */
final class KeyVersions {
  private final NavigableMap<Timestamp, Version> prepared = new TreeMap<>();

  /** Null where nothing is committed. */
  private Version committed;

  private boolean isSwept;

  Answer committed() {
    return committed == null ? new Answer.Absent() : new Answer.Present(committed);
  }

  /** What a read of the whole collection sees. */
  Optional<Version> listed() {
    return isSwept ? Optional.empty() : Optional.ofNullable(committed);
  }

  Candidates candidates(Set<Timestamp> timestamps) {
    Map<Timestamp, Version> found = new HashMap<>();
    for (Timestamp timestamp : timestamps) {
      Version version = prepared.get(timestamp);
      if (version != null) {
        found.put(timestamp, version);
      }
    }
    return new Candidates(committed(), found);
  }

  void prepare(Version version) {
    prepared.put(version.timestamp(), version);
  }

  void commit(Version version) {
    if (committed == null || version.timestamp().isAfter(committed.timestamp())) {
      committed = version;
      isSwept = false;
    }
  }

  void collect(Version version) {
    commit(version);
    prepared.headMap(version.timestamp(), true).clear();
  }

  /** What is prepared above a deletion may still be committed. */
  void sweep() {
    if (committed != null && committed.isDeletion()) {
      prepared.headMap(committed.timestamp(), true).clear();
      isSwept = true;
    }
  }

  void purge(Timestamp deletion) {
    if (committed != null && committed.timestamp().equals(deletion)) {
      committed = null;
      isSwept = false;
      prepared.headMap(deletion, true).clear();
    }
  }

  void drop(Timestamp timestamp) {
    prepared.remove(timestamp);
  }

  boolean isEmpty() {
    return committed == null && prepared.isEmpty();
  }
}
