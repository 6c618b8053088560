/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import io.kasane.bench.ramp.lock.LockClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;

/** Locks that are held for one read each: no key of a transaction waits for another. */
final class ShortLocks {
  private ShortLocks() {}

  /**
   * Asks for all keys at once, reads each as soon as it is granted and gives it back as soon as it
   * is read.
   */
  static List<CompletionStage<AsyncResultSet>> readEach(
      LockClient locks, int[] keys, IntFunction<CompletionStage<AsyncResultSet>> read)
      throws IOException {
    Map<Long, Integer> asked = new HashMap<>();
    for (int key : keys) {
      asked.put(locks.request(false, key), key);
    }
    List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>(keys.length);
    while (!asked.isEmpty()) {
      long id = locks.awaitGrant();
      Integer key = asked.remove(id);
      if (key != null) {
        answers.add(read.apply(key).whenComplete((rows, problem) -> release(locks, id)));
      }
    }
    return answers;
  }

  private static void release(LockClient locks, long id) {
    try {
      locks.release(id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
