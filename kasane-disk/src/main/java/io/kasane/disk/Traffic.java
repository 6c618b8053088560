/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.util.concurrent.atomic.LongAdder;

/** What one kind of thread has asked of a disk. */
final class Traffic {
  final LongAdder reads = new LongAdder();
  final LongAdder memoryReads = new LongAdder();
  final LongAdder readBytes = new LongAdder();
  final LongAdder writes = new LongAdder();
  final LongAdder writtenBytes = new LongAdder();
  final LongAdder waitedNanos = new LongAdder();

  void count(boolean write, long bytes) {
    (write ? writes : reads).increment();
    (write ? writtenBytes : readBytes).add(bytes);
  }

  /** The kind of the current thread: its name up to the first character that is no letter. */
  static String kindOfThread() {
    String name = Thread.currentThread().getName();
    int end = 0;
    while (end < name.length() && Character.isLetter(name.charAt(end))) {
      end++;
    }
    return end == 0 ? "other" : name.substring(0, end);
  }
}
