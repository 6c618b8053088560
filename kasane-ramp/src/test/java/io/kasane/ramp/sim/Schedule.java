/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.HistoryReport;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.version.ItemKey;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * One schedule: clients run transactions while faults happen; then faults end, clients come to
 * rest, every session reads all keys, what is lost is healed, and the history is checked.
 */
final class Schedule {
  private static final long SECOND = 1_000_000;
  private static final int MAX_HEALS = 40;

  private final World world;
  private final Faults faults;
  private final Clearing clearing;
  private final List<SimClient> clients = new ArrayList<>();
  private final SimClient.SessionNumbers sessions = new SimClient.SessionNumbers();
  private int restarting;
  private int healed;

  private Schedule(World world) {
    this.world = world;
    this.faults = new Faults(world);
    this.clearing = new Clearing(world);
  }

  /** Runs the schedule of that seed. */
  static Outcome run(long seed, Scenario scenario, boolean traced) {
    World world = World.of(seed, scenario, traced);
    Schedule schedule = new Schedule(world);
    try {
      schedule.runAll();
    } catch (RuntimeException | AssertionError e) {
      world.findings().add("THROWN: " + e + " at " + List.of(e.getStackTrace()));
    }
    return new Outcome(
        seed,
        world.findings(),
        world.rounds(),
        world.ledger().puts() + world.ledger().gets(),
        schedule.healed,
        schedule.clearing.counts(),
        world.loop().done() * 31 + world.chance().nextLong(),
        world.trace().lines());
  }

  private void runAll() {
    world.say(() -> world.climate() + " " + world.workload());
    Workload workload = world.workload();
    for (int i = 0; i < workload.clients(); i++) {
      addClient("c" + i, workload.operations());
    }
    planFaults();
    if (world.clears()) {
      clearing.plan();
    }
    runWhile(this::isAnyoneAtWork, 600 * SECOND);
    faults.end();
    settle();
    readEverywhere();
    audit();
    report();
  }

  private boolean isAnyoneAtWork() {
    return restarting > 0 || clients.stream().anyMatch(client -> !client.isDone());
  }

  private void addClient(String name, int operations) {
    SimClient client = new SimClient(world, name);
    clients.add(client);
    client.begin(1 + world.chance().below(2), operations, sessions);
  }

  private void planFaults() {
    Chance chance = world.chance();
    long span = chance.between(30_000, 200_000);
    faults.plan(span, clients);
    for (int i = 0; i < world.climate().clientCrashes(); i++) {
      int victim = chance.below(clients.size());
      world.loop().after(chance.between(0, span), () -> kill(clients.get(victim)));
    }
    if (world.workload().rests() > 0) {
      for (long rest = 1; rest <= 3; rest++) {
        long at = rest * 60 * SECOND - 1_000;
        world.loop().after(at, this::dropTombstones);
        world.loop().after(at + 2_000, () -> faults.plan(span, clients));
      }
      world.loop().after(200 * SECOND, faults::end);
    } else {
      world.loop().after(span, faults::end);
    }
  }

  private void kill(SimClient client) {
    if (!client.isDone()) {
      int messages = world.chance().below(12);
      world.say(() -> client.link() + " dies after " + messages + " messages");
      client.link().dieAfter(messages);
      restarting++;
      world
          .loop()
          .after(
              world.chance().between(20_000, 60_000),
              () -> {
                restarting--;
                client.link().die();
                addClient(client.link() + "'", world.workload().operations() / 2);
              });
    }
  }

  private void dropTombstones() {
    boolean safe =
        !world.cluster().isUnderway() && world.cluster().nodes().stream().allMatch(Node::isUp);
    if (safe && world.chance().happens(0.7)) {
      faults.repairAll(true);
    }
  }

  private void runWhile(BooleanSupplier condition, long limitMicros) {
    long until = world.loop().nowMicros() + limitMicros;
    while (condition.getAsBoolean() && world.loop().nextMicros() <= until) {
      for (int i = 0; i < 32 && world.loop().nextMicros() <= until; i++) {
        world.loop().runNext();
      }
    }
  }

  /** Lets what is underway arrive, and overwritten versions be collected. */
  private void settle() {
    Chance chance = world.chance();
    world.loop().runUntil(world.loop().nowMicros() + 4 * SECOND);
    if (world.workload().rests() > 0 && chance.happens(0.5)) {
      world.loop().runUntil(world.loop().nowMicros() + 60 * SECOND);
    }
    if (chance.happens(0.3)) {
      faults.repairAll(false);
    }
  }

  private void readEverywhere() {
    Set<ItemKey> all = new TreeSet<>(world.workload().universe());
    for (SimClient client : clients) {
      if (client.link().isAlive()) {
        client.sessions().forEach(session -> session.readAll(all));
      }
    }
    runWhile(this::isAnyoneAtWork, SECOND);
  }

  /** A new client reads all from quorums, and heals what it cannot read. */
  private void audit() {
    world.cluster().readFromQuorums();
    SimClient auditor = new SimClient(world, "auditor");
    boolean[] done = new boolean[1];
    readAudited(auditor, done);
    runWhile(() -> !done[0], 60 * SECOND);
    if (!done[0]) {
      world.findings().add("STUCK: the last read never ended");
    }
  }

  private void readAudited(SimClient auditor, boolean[] done) {
    auditor
        .ramp()
        .get(ReadSet.of(new TreeSet<>(world.workload().universe())), auditor.ramp().newSession())
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                world.rounds().add(result.rounds(), true);
                world.say(() -> "at rest: " + result.versions());
                world.ledger().readAtRest(result.versions());
                done[0] = true;
              } else {
                afterFailure(auditor, Failures.causeOf(failure), done);
              }
            });
  }

  private void afterFailure(SimClient auditor, Throwable cause, boolean[] done) {
    world.say(() -> "the auditor cannot read: " + cause);
    if (!(cause instanceof LostVersionException lost) || healed >= MAX_HEALS) {
      world.findings().add("STUCK at rest: " + cause);
      done[0] = true;
      return;
    }
    Lost.judge(world, lost);
    healed++;
    Ledger.Put healing = world.ledger().beginHealing(auditor.link(), -1);
    auditor
        .ramp()
        .heal(lost)
        .whenComplete(
            (timestamp, failure) -> {
              world.say(() -> "healed at " + timestamp + ", or " + failure);
              if (failure != null) {
                world.findings().add("NOT HEALED: " + Failures.causeOf(failure));
                done[0] = true;
                return;
              }
              world.ledger().acknowledged(healing, timestamp);
              readAudited(auditor, done);
            });
  }

  private void report() {
    world.findings().addAll(world.ledger().oddities());
    Set<Anomaly> wanted = EnumSet.allOf(Anomaly.class);
    if (world.climate().mayLose()) {
      wanted.remove(Anomaly.LOST);
      wanted.remove(Anomaly.BEATEN);
    }
    // A put that looks for no markers may miss one too far ahead for its clock to follow.
    if (!world.workload().checkMarkers() && !world.clocksAreWithinDrift()) {
      wanted.remove(Anomaly.WRITE_BEHIND_READ);
    }
    if (!world.workload().checkMarkers()) {
      wanted.remove(Anomaly.BEATEN);
    }
    HistoryReport report = world.ledger().check(wanted, world.workload().rests() > 0);
    report.violations().forEach(violation -> world.findings().add(violation.toString()));
  }
}
