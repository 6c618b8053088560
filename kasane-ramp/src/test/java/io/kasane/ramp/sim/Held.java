/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What a replica has had of a key since its storage was last damaged, and since when. */
final class Held {
  private final Map<Timestamp, Long> prepared = new HashMap<>();
  private final TreeMap<Timestamp, Long> committed = new TreeMap<>();

  void add(ItemRows item, long nowMicros) {
    for (Timestamp timestamp : item.preparedTimestamps()) {
      prepared.putIfAbsent(timestamp, nowMicros);
    }
    Version marker = item.committed();
    if (marker != null) {
      committed.putIfAbsent(marker.timestamp(), nowMicros);
    }
  }

  /** Whether it had that version, or committed that or a later one, by then. */
  boolean covers(Timestamp timestamp, long untilMicros) {
    return prepared.getOrDefault(timestamp, Long.MAX_VALUE) <= untilMicros
        || committed.tailMap(timestamp, true).values().stream()
            .anyMatch(since -> since <= untilMicros);
  }
}
