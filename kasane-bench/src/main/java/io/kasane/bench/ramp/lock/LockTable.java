/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.lock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Who has and who waits for which key. Shared locks stand beside each other, an exclusive one
 * alone; who came first is served first, readers too, so that nobody starves. A request takes its
 * keys one by one in ascending order, which rules deadlocks out. Thread-safe; every call takes
 * microseconds.
 */
public final class LockTable {
  /** One key's holders and queue. */
  private static final class Lock {
    final Set<LockRequest> holders = new HashSet<>();
    final Deque<LockRequest> waiting = new ArrayDeque<>();
    boolean exclusive;

    boolean admits(LockRequest request) {
      return holders.isEmpty() || !(exclusive || request.exclusive);
    }

    void give(LockRequest request) {
      holders.add(request);
      exclusive = request.exclusive;
      request.held++;
    }
  }

  private final long leaseNanos;
  private final LongSupplier nanoTime;
  private final Map<Long, Lock> locks = new HashMap<>();
  private final Set<LockRequest> granted = new LinkedHashSet<>();

  /**
   * A table without locks.
   *
   * @param leaseNanos how long a request keeps its keys unless it releases them
   */
  public LockTable(long leaseNanos, LongSupplier nanoTime) {
    this.leaseNanos = leaseNanos;
    this.nanoTime = nanoTime;
  }

  /** Takes the keys or waits for them; returns the requests that have theirs now. */
  public synchronized List<LockRequest> acquire(LockRequest request) {
    List<LockRequest> ready = new ArrayList<>();
    advance(request, ready);
    return ready;
  }

  /** Gives back what the request has and waits for; returns the requests that have theirs now. */
  public synchronized List<LockRequest> release(LockRequest request) {
    List<LockRequest> ready = new ArrayList<>();
    release(request, ready);
    return ready;
  }

  /**
   * Takes the keys of requests that are over.
   *
   * @param expired gets these requests
   * @return the requests that have their keys now
   */
  synchronized List<LockRequest> expire(List<LockRequest> expired) {
    long now = nanoTime.getAsLong();
    List<LockRequest> ready = new ArrayList<>();
    granted.stream().filter(request -> request.leaseEndNanos - now < 0).forEach(expired::add);
    expired.forEach(request -> release(request, ready));
    return ready;
  }

  /** How many keys somebody has or waits for. */
  synchronized int size() {
    return locks.size();
  }

  private void advance(LockRequest request, List<LockRequest> ready) {
    while (!request.isGranted()) {
      Lock lock = locks.computeIfAbsent(request.keys[request.held], key -> new Lock());
      if (!lock.waiting.isEmpty() || !lock.admits(request)) {
        lock.waiting.add(request);
        return;
      }
      lock.give(request);
    }
    request.leaseEndNanos = nanoTime.getAsLong() + leaseNanos;
    granted.add(request);
    ready.add(request);
  }

  private void release(LockRequest request, List<LockRequest> ready) {
    if (request.done) {
      return; // its lease ended while its release was on the way
    }
    request.done = true;
    boolean waits = !request.isGranted();
    granted.remove(request);
    if (waits) {
      locks.get(request.keys[request.held]).waiting.remove(request);
    }
    int touched = waits ? request.held + 1 : request.held;
    for (int i = 0; i < touched; i++) {
      Lock lock = locks.get(request.keys[i]);
      lock.holders.remove(request);
      serve(lock, ready);
      if (lock.holders.isEmpty() && lock.waiting.isEmpty()) {
        locks.remove(request.keys[i]);
      }
    }
  }

  private void serve(Lock lock, List<LockRequest> ready) {
    while (!lock.waiting.isEmpty() && lock.admits(lock.waiting.peek())) {
      LockRequest next = lock.waiting.poll();
      lock.give(next);
      advance(next, ready);
    }
  }
}
