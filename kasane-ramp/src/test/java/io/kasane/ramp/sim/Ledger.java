/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.HistoryReport;
import io.kasane.ramp.history.Operation;
import io.kasane.ramp.history.TransactionChecks;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What clients did in one schedule, and what the checker of histories says of it. */
final class Ledger {
  /** How a put ended. */
  enum Outcome {
    OPEN,
    ACKNOWLEDGED,
    FAILED,
    UNKNOWN
  }

  /** A put, or the healing of one. */
  static final class Put {
    final long number;
    final ClientLink client;
    final long session;
    final Set<ItemKey> keys;
    final Set<ItemKey> deleted;
    final boolean heals;
    final long began;
    Outcome outcome = Outcome.OPEN;
    long ended;

    private Put(
        long number,
        ClientLink client,
        long session,
        Set<ItemKey> keys,
        Set<ItemKey> deleted,
        boolean heals,
        long began) {
      this.number = number;
      this.client = client;
      this.session = session;
      this.keys = keys;
      this.deleted = deleted;
      this.heals = heals;
      this.began = began;
    }
  }

  /** A line of the history: a put that was acknowledged, or a get. */
  private record Entry(long session, Put put, List<ItemKey> keys, Map<ItemKey, Version> seen) {}

  private static final long UNREGISTERED = 1L << 40;

  private final EventLoop loop;
  private final List<ItemKey> universe;
  private final List<Put> puts = new ArrayList<>();
  private final Map<Timestamp, Put> byTimestamp = new HashMap<>();
  private final Map<Put, Timestamp> acknowledgedAt = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<Entry> atRest = new ArrayList<>();
  private final List<String> oddities = new ArrayList<>();

  Ledger(EventLoop loop, List<ItemKey> universe) {
    this.loop = loop;
    this.universe = universe;
  }

  static Bytes value(long number) {
    return Bytes.utf8(Long.toString(number));
  }

  /** The number that the next put has, and writes as its value. */
  long nextNumber() {
    return puts.size() + 1L;
  }

  Put begin(ClientLink client, long session, Map<ItemKey, Optional<Bytes>> writes) {
    Set<ItemKey> deleted = new HashSet<>();
    writes.forEach(
        (key, value) -> {
          if (value.isEmpty()) {
            deleted.add(key);
          }
        });
    Put put =
        new Put(
            nextNumber(),
            client,
            session,
            new HashSet<>(writes.keySet()),
            deleted,
            false,
            loop.nowMicros());
    puts.add(put);
    return put;
  }

  /** The client begins to heal; what it prepares next is known when it prepares it. */
  Put beginHealing(ClientLink client, long session) {
    Put put =
        new Put(
            nextNumber(),
            client,
            session,
            new HashSet<>(),
            new HashSet<>(),
            true,
            loop.nowMicros());
    puts.add(put);
    return put;
  }

  /** Learns which put has which timestamp: of all that is sent, this is the first. */
  void prepares(ClientLink client, Collection<Write> writes) {
    for (Write write : writes) {
      Timestamp timestamp = write.version().timestamp();
      if (!byTimestamp.containsKey(timestamp)) {
        Put put = openPut(client, writes, timestamp);
        if (put == null) {
          oddities.add("nobody wrote what " + client + " prepares: " + writes);
          return;
        }
        byTimestamp.put(timestamp, put);
      }
      learnHealed(byTimestamp.get(timestamp), write);
    }
  }

  private static void learnHealed(Put put, Write write) {
    if (put.heals && put.outcome == Outcome.OPEN) {
      put.keys.add(write.key());
      if (write.version().isDeletion()) {
        put.deleted.add(write.key());
      }
    }
  }

  private Put openPut(ClientLink client, Collection<Write> writes, Timestamp timestamp) {
    Set<ItemKey> keys = new HashSet<>();
    Set<Long> numbers = new HashSet<>();
    for (Write write : writes) {
      if (write.version().timestamp().equals(timestamp)) {
        keys.add(write.key());
        write.version().value().ifPresent(value -> numbers.add(Long.parseLong(value.toUtf8())));
      }
    }
    for (int i = puts.size() - 1; i >= 0; i--) {
      Put put = puts.get(i);
      boolean mayPrepare = put.client == client && put.outcome != Outcome.ACKNOWLEDGED;
      if (mayPrepare && !put.heals && isWrittenBy(put, keys, numbers)) {
        return put;
      }
    }
    for (int i = puts.size() - 1; i >= 0; i--) {
      Put put = puts.get(i);
      if (put.client == client && put.heals && put.outcome == Outcome.OPEN) {
        return put;
      }
    }
    return null;
  }

  private static boolean isWrittenBy(Put put, Set<ItemKey> keys, Set<Long> numbers) {
    return numbers.isEmpty()
        ? put.deleted.equals(put.keys) && put.keys.equals(keys)
        : numbers.equals(Set.of(put.number));
  }

  void acknowledged(Put put, Timestamp timestamp) {
    put.outcome = Outcome.ACKNOWLEDGED;
    put.ended = loop.nowMicros();
    acknowledgedAt.put(put, timestamp);
    entries.add(new Entry(put.session, put, List.of(), Map.of()));
  }

  void ended(Put put, Outcome outcome) {
    put.outcome = outcome;
  }

  void read(long session, Collection<ItemKey> keys, Map<ItemKey, Version> seen) {
    entries.add(new Entry(session, null, List.copyOf(keys), Map.copyOf(seen)));
  }

  void readAtRest(Map<ItemKey, Version> seen) {
    atRest.add(new Entry(-1, null, universe, Map.copyOf(seen)));
  }

  /** What does not look like what was written. */
  List<String> oddities() {
    return oddities;
  }

  int puts() {
    return puts.size();
  }

  int gets() {
    return entries.size();
  }

  HistoryReport check(Set<Anomaly> wanted, boolean purges) {
    TransactionChecks checks = new TransactionChecks(wanted, purges);
    puts.forEach(put -> tell(checks, put));
    tellTimestamps(checks);
    checks.seal();
    long number = UNREGISTERED;
    for (Entry entry : entries) {
      number++;
      if (entry.put() != null) {
        for (ItemKey key : entry.put().keys) {
          checks.sessionWrote(entry.session(), entry.put().number, universe.indexOf(key));
        }
      } else {
        tellRead(checks, entry, number);
      }
    }
    for (Entry entry : atRest) {
      number++;
      long[] values = tellRead(checks, entry, number);
      for (int i = 0; i < values.length; i++) {
        checks.atRest(number, i, values[i]);
      }
    }
    return checks.report();
  }

  private void tell(TransactionChecks checks, Put put) {
    for (ItemKey key : put.keys) {
      checks.wrote(put.number, universe.indexOf(key));
    }
    for (ItemKey key : put.deleted) {
      checks.deleted(put.number, universe.indexOf(key));
    }
    if (put.outcome == Outcome.FAILED) {
      checks.aborted(put.number);
    }
    if (put.outcome == Outcome.ACKNOWLEDGED) {
      // Healing is placed right above what it heals, below whatever was acknowledged since.
      checks.acknowledged(put.number, put.heals ? 0 : put.began, put.ended);
      checks.timestamp(put.number, acknowledgedAt.get(put));
    }
  }

  private void tellTimestamps(TransactionChecks checks) {
    List<Entry> all = new ArrayList<>(entries);
    all.addAll(atRest);
    for (Entry entry : all) {
      for (Version version : entry.seen().values()) {
        Put put = byTimestamp.get(version.timestamp());
        if (put != null) {
          checks.timestamp(put.number, version.timestamp());
        }
      }
    }
  }

  private long[] tellRead(TransactionChecks checks, Entry entry, long number) {
    int count = entry.keys().size();
    long[] keys = new long[count];
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      ItemKey key = entry.keys().get(i);
      keys[i] = universe.indexOf(key);
      values[i] = numberOf(key, entry.seen().get(key));
    }
    checks.read(entry.session(), number, keys, values, count);
    return values;
  }

  private long numberOf(ItemKey key, Version version) {
    if (version == null) {
      return Operation.NEVER_WRITTEN;
    }
    Put put = byTimestamp.get(version.timestamp());
    if (put == null) {
      return UNREGISTERED;
    }
    boolean right =
        put.deleted.contains(key) == version.isDeletion()
            && (put.heals
                || version.isDeletion()
                || version.value().get().equals(value(put.number)));
    return right ? put.number : UNREGISTERED;
  }

  /** Whether a put of that client deletes all it writes, and is not over. */
  boolean deletesOnly(ClientLink client) {
    for (Put put : puts) {
      if (put.client == client
          && put.outcome == Outcome.OPEN
          && !put.heals
          && put.deleted.equals(put.keys)) {
        return true;
      }
    }
    return false;
  }
}
