/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log messages about SSTables that disappeared. They are collected under a lock and written to the
 * log after it is released. Thread-safe.
 */
final class Losses {
  private static final Logger logger = LoggerFactory.getLogger(SkipIndex.class);

  private final Queue<Runnable> toSay = new ConcurrentLinkedQueue<>();

  /** So many rows are left out no more. */
  void ofHome(long rows) {
    toSay.add(
        () ->
            logger.info(
                "A copy is gone, and no compaction said where its rows went: {} rows count as"
                    + " read from slow until they are copied again",
                rows));
  }

  /** These are copies no more. */
  void ofSource(Set<?> copies) {
    toSay.add(
        () ->
            logger.info(
                "SSTables with rows of their own from now on: {} ({} in all); one that rows were"
                    + " copied from is gone, and no compaction said where its rows went",
                copies.iterator().next(),
                copies.size()));
  }

  /** Not to be called under a lock that a read takes. */
  void say() {
    for (Runnable next = toSay.poll(); next != null; next = toSay.poll()) {
      next.run();
    }
  }
}
