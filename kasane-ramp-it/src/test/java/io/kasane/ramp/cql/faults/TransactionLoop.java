/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.ramp.cql.faults.Tally.Count;
import io.kasane.ramp.history.HistoryWriter;
import io.kasane.ramp.history.KeyRead;
import io.kasane.ramp.protocol.ContendedException;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.NotCommittedException;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.protocol.ReadResult;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.Session;
import io.kasane.ramp.protocol.UnknownOutcomeException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A user who reads and writes in sessions, one transaction after the other, and logs them. For one
 * thread.
 */
final class TransactionLoop implements LoadLoop {
  private static final int MAX_RETRIES = 8;
  private static final int SESSION_LENGTH = 300;

  private final List<RampClient> clients;
  private final HistoryWriter history;
  private final Tally tally;
  private final RandomGenerator random;
  private final boolean retries;

  private RampClient client;
  private Session session;
  private long sessionNumber;

  TransactionLoop(
      List<RampClient> clients,
      HistoryWriter history,
      Tally tally,
      RandomGenerator random,
      boolean retries) {
    this.clients = clients;
    this.history = history;
    this.tally = tally;
    this.random = random;
    this.retries = retries;
    begin();
  }

  private void begin() {
    client = clients.get(random.nextInt(clients.size()));
    session = client.newSession();
    sessionNumber = history.newSession();
  }

  /** Goes on with another client of the process, as a stateless server would. */
  private void moveOn() {
    client = clients.get(random.nextInt(clients.size()));
    session = client.newSession(session.token());
  }

  @Override
  public void step() {
    int dice = random.nextInt(SESSION_LENGTH);
    if (dice == 0) {
      begin();
    } else if (dice < 6) {
      moveOn();
    }
    if (random.nextInt(100) < 45) {
      put();
    } else {
      get();
    }
  }

  private void get() {
    tally.add(Count.GETS);
    try {
      history.read(sessionNumber, read());
    } catch (LostVersionException e) {
      tally.add(Count.GETS_LOST);
      System.out.println("lost " + e.getMessage());
      begin();
    } catch (ContendedException e) {
      tally.add(Count.GETS_CONTENDED);
      tell(e);
    } catch (RampException e) {
      tally.add(Count.GETS_UNAVAILABLE);
      tell(e);
    }
  }

  private List<KeyRead> read() {
    Set<Long> numbers = LoadKeys.draw(random);
    Set<ItemRange> ranges = new LinkedHashSet<>();
    if (random.nextInt(100) < 30) {
      ranges.add(LoadKeys.drawRange(random));
    }
    if (random.nextInt(100) < 20) {
      Set<Long> more = LoadKeys.draw(random);
      more.removeAll(numbers);
      return readInTwo(numbers, more, ranges);
    }
    return seen(numbers, Waits.until("get", () -> client.get(readSet(numbers, ranges), session)));
  }

  private List<KeyRead> readInTwo(Set<Long> first, Set<Long> more, Set<ItemRange> ranges) {
    ReadResult both =
        Waits.until(
            "read transaction",
            () ->
                client.readTransaction(
                    transaction ->
                        transaction
                            .get(readSet(first, Set.of()))
                            .thenCompose(
                                one ->
                                    transaction
                                        .get(readSet(more, ranges))
                                        .thenApply(
                                            two -> {
                                              Map<ItemKey, Version> all =
                                                  new HashMap<>(one.versions());
                                              all.putAll(two.versions());
                                              return new ReadResult(all, two.nexts(), two.rounds());
                                            })),
                    session));
    Set<Long> all = new LinkedHashSet<>(first);
    all.addAll(more);
    return seen(all, both);
  }

  /** What to read, by numbers. */
  static ReadSet readSet(Set<Long> numbers, Set<ItemRange> ranges) {
    Set<ItemKey> keys = new HashSet<>();
    numbers.forEach(number -> keys.add(LoadKeys.key(number)));
    return new ReadSet(keys, ranges);
  }

  /** What was read, by numbers, all items of ranges among it. */
  static List<KeyRead> seen(Set<Long> numbers, ReadResult result) {
    Set<Long> all = new LinkedHashSet<>(numbers);
    result.nexts().keySet().forEach(range -> all.addAll(LoadKeys.items(result.read(range))));
    List<KeyRead> reads = new ArrayList<>();
    for (long number : all) {
      Version version = result.versions().get(LoadKeys.key(number));
      if (version == null) {
        reads.add(KeyRead.nothing(number));
      } else if (version.isDeletion()) {
        reads.add(KeyRead.deletion(number, version.timestamp()));
      } else {
        long writer = LoadKeys.number(version.value().orElseThrow());
        reads.add(new KeyRead(number, writer, version.timestamp()));
      }
    }
    return reads;
  }

  private void put() {
    Set<Long> written = LoadKeys.draw(random);
    if (random.nextInt(100) < 30) {
      written.addAll(LoadKeys.drawItems(random));
    }
    Set<Long> deleted = new LinkedHashSet<>();
    written.removeIf(number -> random.nextInt(100) < 10 && deleted.add(number));
    long transaction = history.begin(sessionNumber, written, deleted);
    Map<ItemKey, Optional<Bytes>> writes = new HashMap<>();
    Bytes value = LoadKeys.bytes(transaction);
    written.forEach(number -> writes.put(LoadKeys.key(number), Optional.of(value)));
    deleted.forEach(number -> writes.put(LoadKeys.key(number), Optional.empty()));
    tally.add(Count.PUTS);
    put(transaction, () -> client.put(writes, session), 0);
  }

  private void put(long transaction, Supplier<CompletionStage<Timestamp>> attempt, int tries) {
    boolean again = retries && tries < MAX_RETRIES;
    if (tries > 0) {
      tally.add(Count.RETRIES);
    }
    try {
      history.acknowledged(transaction, Waits.until("put", attempt));
    } catch (NotCommittedException e) {
      count(Count.PUTS_NOT_COMMITTED, tries, e);
      if (again) {
        put(transaction, e::retryAsync, tries + 1);
      } else {
        history.failed(transaction);
      }
    } catch (UnknownOutcomeException e) {
      count(Count.PUTS_UNKNOWN, tries, e);
      if (again) {
        put(transaction, e::retryAsync, tries + 1);
      } else {
        history.unknown(transaction, e.timestamp());
      }
    } catch (RampException e) {
      count(Count.PUTS_REFUSED, tries, e);
      history.failed(transaction);
    }
  }

  /** Of a put that is tried again only the first failure counts: plain CQL has one try, too. */
  private void count(Count failure, int tries, RampException e) {
    if (tries == 0) {
      tally.add(failure);
      tell(e);
    }
  }

  private static void tell(RampException e) {
    System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
  }
}
