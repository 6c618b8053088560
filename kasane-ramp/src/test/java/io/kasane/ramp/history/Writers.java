/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import io.kasane.ramp.version.Timestamp;
import java.util.Arrays;

/**
 * The transactions that write: what they wrote, their timestamps, when they began and were
 * acknowledged. In primitive arrays: about 80 bytes a transaction and 20 a write. Not thread-safe.
 */
final class Writers {
  /** The time of what did not happen. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int END = -1;
  private static final int INITIAL_SIZE = 16;

  private final LongIndex numbers = new LongIndex();
  private long[] micros = new long[INITIAL_SIZE];
  private long[] clients = new long[INITIAL_SIZE];
  private long[] began = new long[INITIAL_SIZE];
  private long[] ended = new long[INITIAL_SIZE];
  private boolean[] aborted = new boolean[INITIAL_SIZE];
  private int[] firstWrite = new int[INITIAL_SIZE];

  private int writes;
  private int[] writtenKey = new int[INITIAL_SIZE];
  private int[] nextWrite = new int[INITIAL_SIZE];
  private boolean[] deletion = new boolean[INITIAL_SIZE];

  int size() {
    return numbers.size();
  }

  long transaction(int writer) {
    return numbers.valueOf(writer);
  }

  int find(long transaction) {
    return numbers.find(transaction);
  }

  int add(long transaction) {
    int known = numbers.size();
    int writer = numbers.add(transaction);
    if (writer == known) {
      if (writer == micros.length) {
        grow(writer * 2);
      }
      began[writer] = 0;
      ended[writer] = NEVER;
      firstWrite[writer] = END;
    }
    return writer;
  }

  private void grow(int size) {
    micros = Arrays.copyOf(micros, size);
    clients = Arrays.copyOf(clients, size);
    began = Arrays.copyOf(began, size);
    ended = Arrays.copyOf(ended, size);
    aborted = Arrays.copyOf(aborted, size);
    firstWrite = Arrays.copyOf(firstWrite, size);
  }

  void addWrite(int writer, int key) {
    if (writes == writtenKey.length) {
      writtenKey = Arrays.copyOf(writtenKey, writes * 2);
      nextWrite = Arrays.copyOf(nextWrite, writes * 2);
      deletion = Arrays.copyOf(deletion, writes * 2);
    }
    writtenKey[writes] = key;
    nextWrite[writes] = firstWrite[writer];
    firstWrite[writer] = writes++;
  }

  int writes() {
    return writes;
  }

  /** The first of its writes, negative where it has none. */
  int firstWrite(int writer) {
    return firstWrite[writer];
  }

  /** The next one of the same transaction, negative where there is none. */
  int nextWrite(int write) {
    return nextWrite[write];
  }

  int key(int write) {
    return writtenKey[write];
  }

  boolean isDeletion(int write) {
    return deletion[write];
  }

  /** Which of its writes is to that key, negative where none is. */
  int writeTo(int writer, int key) {
    int write = firstWrite[writer];
    while (write >= 0 && writtenKey[write] != key) {
      write = nextWrite[write];
    }
    return write;
  }

  void markDeletion(int writer, int key) {
    int write = writeTo(writer, key);
    if (write >= 0) {
      deletion[write] = true;
    }
  }

  void markAborted(int writer) {
    aborted[writer] = true;
  }

  boolean isAborted(int writer) {
    return aborted[writer];
  }

  void setTimes(int writer, long beganNanos, long endedNanos) {
    began[writer] = beganNanos;
    ended[writer] = endedNanos;
  }

  boolean isAcknowledged(int writer) {
    return ended[writer] != NEVER;
  }

  long began(int writer) {
    return began[writer];
  }

  long ended(int writer) {
    return ended[writer];
  }

  void setTimestamp(int writer, long newMicros, long newClient) {
    micros[writer] = newMicros;
    clients[writer] = newClient;
  }

  boolean hasTimestamp(int writer) {
    return micros[writer] != 0 || clients[writer] != 0;
  }

  Timestamp timestamp(int writer) {
    return new Timestamp(micros[writer], clients[writer]);
  }

  /**
   * Whether what the one wrote is known to be older than what the other wrote: by their timestamps;
   * where one has none, by one having been acknowledged before the other began.
   */
  boolean isOlder(int one, int other) {
    if (one == other) {
      return false;
    }
    if (!hasTimestamp(one) || !hasTimestamp(other)) {
      return ended[one] < began[other];
    }
    return micros[one] != micros[other]
        ? micros[one] < micros[other]
        : Long.compareUnsigned(clients[one], clients[other]) < 0;
  }
}
