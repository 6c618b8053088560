/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.ItemKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What replicas answered to one read. */
final class ReplicaAnswers {
  /** What a replica lacks of what all of them together say. */
  record Difference(Node replica, Map<ItemKey, ItemRows> rows) {}

  private final int expected;
  private final List<Node> replicas = new ArrayList<>();
  private final List<Map<ItemKey, ItemRows>> answers = new ArrayList<>();
  private Map<ItemKey, ItemRows> merged = Map.of();

  ReplicaAnswers(int expected) {
    this.expected = expected;
  }

  /** Whether this was the last answer that was waited for. */
  boolean add(Node replica, Map<ItemKey, ItemRows> answer) {
    replicas.add(replica);
    answers.add(answer);
    if (answers.size() != expected) {
      return false;
    }
    merged = answers.get(0);
    for (int i = 1; i < expected; i++) {
      merged = merge(merged, answers.get(i));
    }
    return true;
  }

  private static Map<ItemKey, ItemRows> merge(
      Map<ItemKey, ItemRows> one, Map<ItemKey, ItemRows> other) {
    Map<ItemKey, ItemRows> both = new HashMap<>(one);
    other.forEach((key, rows) -> both.merge(key, rows, ItemRows::merge));
    return both;
  }

  Map<ItemKey, ItemRows> merged() {
    return merged;
  }

  List<Difference> differences() {
    List<Difference> found = new ArrayList<>();
    for (int i = 0; i < expected; i++) {
      Map<ItemKey, ItemRows> missing = new HashMap<>();
      Map<ItemKey, ItemRows> answer = answers.get(i);
      merged.forEach(
          (key, rows) -> {
            if (!answer.getOrDefault(key, ItemRows.EMPTY).covers(rows)) {
              missing.put(key, rows);
            }
          });
      if (!missing.isEmpty()) {
        found.add(new Difference(replicas.get(i), missing));
      }
    }
    return found;
  }
}
