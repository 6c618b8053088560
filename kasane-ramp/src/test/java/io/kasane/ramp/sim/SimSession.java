/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.NotCommittedException;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.protocol.ReadResult;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.Session;
import io.kasane.ramp.protocol.SessionToken;
import io.kasane.ramp.protocol.UnknownOutcomeException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** One session of a client: runs transactions, one after the other, that chance draws. */
final class SimSession {
  private static final int MAX_RETRIES = 3;
  private static final long SLACK_MICROS = 30_000;

  /** Longer than grace and drifts, so that deletions are purged. */
  private static final long REST_MICROS = 60_000_000;

  private final World world;
  private final Chance chance;
  private final ClientLink client;
  private final RampClient ramp;
  private final long number;
  private Session session;
  private int left;
  private boolean busy;
  private boolean remembers;

  SimSession(World world, ClientLink client, RampClient ramp, long number) {
    this.world = world;
    this.chance = world.chance();
    this.client = client;
    this.ramp = ramp;
    this.number = number;
    this.session = ramp.newSession();
  }

  void begin(int operations) {
    left = operations;
    pause();
  }

  boolean isDone() {
    return left <= 0 && !busy;
  }

  private void pause() {
    long delay = chance.happens(0.3) ? chance.between(0, 20_000) : chance.between(0, 1_000);
    if (world.workload().rests() > 0 && chance.happens(world.workload().rests())) {
      delay = REST_MICROS;
    }
    busy = true;
    world.loop().after(delay, this::next);
  }

  private void next() {
    busy = false;
    if (!client.isAlive() || left-- <= 0) {
      return;
    }
    busy = true;
    // What a token leaves to quorums, its session cannot miss where a quorum lost it.
    if (chance.happens(0.1) && !world.climate().mayLose()) {
      session = ramp.newSession(SessionToken.parse(session.token().toString()));
    }
    if (chance.happens(world.workload().puts())) {
      put();
    } else if (chance.happens(0.2)) {
      readTransaction();
    } else {
      get(drawReads(), false);
    }
  }

  private void put() {
    List<ItemKey> universe = world.workload().universe();
    Map<ItemKey, Optional<Bytes>> writes = new HashMap<>();
    int count = 1 + chance.below(Math.min(4, universe.size()));
    boolean mayDeleteAll = !world.ledger().deletesOnly(client);
    long value = world.ledger().nextNumber();
    for (int i = 0; i < count; i++) {
      boolean deletes = chance.happens(world.workload().deletions()) && (mayDeleteAll || i > 0);
      writes.put(
          chance.oneOf(universe), deletes ? Optional.empty() : Optional.of(Ledger.value(value)));
    }
    if (!mayDeleteAll && writes.values().stream().allMatch(Optional::isEmpty)) {
      writes.replaceAll((key, nothing) -> Optional.of(Ledger.value(value)));
    }
    Ledger.Put put = world.ledger().begin(client, number, writes);
    world.say(() -> client + " session " + number + " puts " + put.number + ": " + writes.keySet());
    finishPut(put, ramp.put(writes, session), 0, Ledger.Outcome.FAILED);
  }

  /**
   * Waits for a put.
   *
   * @param otherwise what came of it if it is not tried again
   */
  private void finishPut(
      Ledger.Put put, CompletionStage<Timestamp> stage, int retries, Ledger.Outcome otherwise) {
    watch(
        stage,
        "put " + put.number,
        (timestamp, failure) -> {
          if (failure == null) {
            world.say(() -> "put " + put.number + " is acknowledged at " + timestamp);
            remembers = true;
            world.ledger().acknowledged(put, timestamp);
            pause();
            return;
          }
          world.say(() -> "put " + put.number + " fails: " + failure);
          boolean again = retries < MAX_RETRIES && chance.happens(0.6);
          if (failure instanceof UnknownOutcomeException unknown) {
            end(put, Ledger.Outcome.UNKNOWN, again ? unknown::retryAsync : null, retries);
          } else if (failure instanceof NotCommittedException failed) {
            end(put, Ledger.Outcome.FAILED, again ? failed::retryAsync : null, retries);
          } else {
            end(put, otherwise, null, retries);
          }
        });
  }

  private interface Retry {
    CompletionStage<Timestamp> run();
  }

  private void end(Ledger.Put put, Ledger.Outcome outcome, Retry retry, int retries) {
    if (retry == null) {
      world.ledger().ended(put, outcome);
      pause();
      return;
    }
    world
        .loop()
        .after(
            retryMicros(),
            () -> {
              if (client.isAlive()) {
                world.say(() -> "put " + put.number + " is retried");
                if (world.clears() && chance.happens(0.3)) {
                  client.dieAfter(chance.below(12));
                }
                finishPut(put, retry.run(), retries + 1, outcome);
              }
            });
  }

  /** Some try again so late that others may have cleared what was left. */
  private long retryMicros() {
    return world.clears() && chance.happens(0.5)
        ? chance.between(100_000, chance.happens(0.5) ? 1_400_000 : REST_MICROS)
        : chance.between(0, 20_000);
  }

  private ReadSet drawReads() {
    List<ItemKey> universe = world.workload().universe();
    Set<ItemKey> keys = new HashSet<>();
    int count = 1 + chance.below(universe.size());
    for (int i = 0; i < count; i++) {
      keys.add(chance.oneOf(universe));
    }
    boolean items = world.workload().items() > 0 && chance.happens(0.4);
    return new ReadSet(keys, items ? Set.of(drawRange()) : Set.of());
  }

  /** All of the collection as often as part of it. */
  private ItemRange drawRange() {
    ItemRange all = Workload.COLLECTION.all();
    if (chance.happens(0.5)) {
      return all;
    }
    List<ItemKey> items = world.workload().itemsOfCollection();
    Bytes from = chance.happens(0.5) ? Bytes.EMPTY : chance.oneOf(items).item();
    Optional<Bytes> before =
        chance.happens(0.5) ? Optional.empty() : Optional.of(chance.oneOf(items).item());
    int limit = chance.happens(0.5) ? ItemRange.UNLIMITED : 1 + chance.below(items.size());
    return new ItemRange(all.table(), all.partition(), from, before, limit);
  }

  private Set<ItemKey> covered(ReadSet wanted, ReadResult result) {
    Set<ItemKey> keys = new HashSet<>(wanted.keys());
    for (ItemRange range : wanted.ranges()) {
      world.workload().itemsOfCollection().stream()
          .filter(result.read(range)::contains)
          .forEach(keys::add);
    }
    return keys;
  }

  /** Reads all keys, when faults are over: that must be possible. */
  void readAll(Set<ItemKey> keys) {
    busy = true;
    get(ReadSet.of(keys), true);
  }

  private void get(ReadSet wanted, boolean afterFaults) {
    watch(
        ramp.get(wanted, session),
        "get",
        (result, failure) -> {
          if (failure == null) {
            world.rounds().add(result.rounds(), afterFaults);
            checkRounds(result);
            saw(covered(wanted, result), result.versions());
          } else {
            failed(failure, afterFaults);
          }
          if (afterFaults) {
            busy = false;
          } else {
            pause();
          }
        });
  }

  /**
   * Where the first round reads a quorum, whatever it demands for sure is there: what replaces it
   * and collects it was acknowledged long before, so that the first round saw it. What a session
   * remembers is demanded without its siblings, and they may need a round more.
   */
  private void checkRounds(ReadResult result) {
    if (world.climate().firstRoundAtQuorum()
        && !world.cluster().hasArenas()
        && !world.workload().mixedModes()
        && !world.climate().mayLose()
        && world.climate().misses() == 0
        && world.workload().rests() == 0
        && result.rounds() > (remembers || world.workload().sweeps() ? 3 : 2)) {
      world.findings().add("ROUNDS: a get from quorums took " + result.rounds() + " rounds");
    }
  }

  private void failed(Throwable failure, boolean afterFaults) {
    world.say(() -> client + " session " + number + " cannot read: " + failure);
    if (failure instanceof LostVersionException lost) {
      Lost.judge(world, lost);
    } else if (afterFaults) {
      world.findings().add("STUCK after faults: " + failure);
    }
    if (!(failure instanceof RampException)) {
      world.findings().add("UNEXPECTED: " + failure);
    }
  }

  private void readTransaction() {
    ReadSet first = drawReads();
    ReadSet second = drawReads();
    watch(
        ramp.readTransaction(
            transaction ->
                transaction
                    .get(first)
                    .thenCompose(
                        one ->
                            transaction
                                .get(second)
                                .thenApply(
                                    two -> {
                                      List<ReadResult> both = new ArrayList<>();
                                      both.add(one);
                                      both.add(two);
                                      return both;
                                    })),
            session),
        "read transaction",
        (results, failure) -> {
          if (failure == null) {
            Set<ItemKey> before = covered(first, results.get(0));
            Set<ItemKey> after = covered(second, results.get(1));
            Set<ItemKey> keys = new HashSet<>(before);
            keys.addAll(after);
            Map<ItemKey, Version> seen = new HashMap<>(results.get(0).versions());
            seen.putAll(results.get(1).versions());
            for (ItemKey key : before) {
              Version version = results.get(0).versions().get(key);
              if (after.contains(key) && !Objects.equals(version, seen.get(key))) {
                world.findings().add("UNREPEATABLE: " + key + " changed in a read transaction");
              }
            }
            saw(keys, seen);
          } else {
            failed(failure, false);
          }
          pause();
        });
  }

  /** An item that a collection does not show may be deleted, at a time that nobody tells. */
  private void saw(Set<ItemKey> covered, Map<ItemKey, Version> versions) {
    Set<ItemKey> keys = new HashSet<>(covered);
    if (world.workload().sweeps()) {
      keys.removeIf(
          key ->
              key.item().length() > 0
                  && (!versions.containsKey(key) || versions.get(key).isDeletion()));
    }
    Map<ItemKey, Version> seen = new HashMap<>(versions);
    seen.keySet().retainAll(keys);
    world.say(() -> client + " session " + number + " sees " + describe(keys, seen));
    remembers = true;
    world.ledger().read(number, keys, seen);
  }

  private static String describe(Set<ItemKey> keys, Map<ItemKey, Version> seen) {
    StringBuilder text = new StringBuilder();
    for (ItemKey key : keys) {
      Version version = seen.get(key);
      text.append(key.partition().toUtf8()).append(key.item().toUtf8()).append('=');
      text.append(
          version == null
              ? "nothing"
              : version.value().map(Bytes::toUtf8).orElse("deleted")
                  + "@"
                  + version.timestamp()
                  + version.siblings().mode());
      text.append(' ');
    }
    return text.toString();
  }

  private interface Ending<T> {
    void accept(T result, Throwable failure);
  }

  /** Waits for the end, which must come, and in time. */
  private <T> void watch(CompletionStage<T> stage, String name, Ending<T> ending) {
    long began = world.loop().nowMicros();
    long limit = Workload.DEADLINE.toNanos() / 1_000 + SLACK_MICROS;
    boolean[] ended = new boolean[1];
    stage.whenComplete(
        (result, failure) -> {
          ended[0] = true;
          Throwable cause = Failures.causeOf(failure);
          if (world.loop().nowMicros() - began > limit) {
            world.findings().add("LATE: a " + name + " took longer than its deadline");
          }
          ending.accept(result, cause);
        });
    if (!ended[0]) {
      world
          .loop()
          .after(
              limit * 4,
              () -> {
                if (!ended[0] && client.isAlive()) {
                  world.findings().add("HANG: a " + name + " never ended");
                }
              });
    }
  }
}
