/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.ramp.cql.SlowSession;
import io.kasane.ramp.cql.faults.Tally.Count;
import io.kasane.ramp.history.HistoryWriter;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampStatistics;
import io.kasane.ramp.store.VersionStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of several users. It begins at once, tells its {@link Tally} now and then, and ends in
 * order when its standard input does.
 */
public final class LoadClient {
  /** How a process ends that found what must not be. */
  static final int BROKEN = 3;

  private static final int USERS = 2;
  private static final int PROBE_PERCENT = 15;
  private static final long TELL_MILLIS = 500;

  /** Every third process is so far away. */
  private static final Duration SLOWER = Duration.ofMillis(20);

  private final Tally tally = new Tally();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final LoadSettings settings;

  private LoadClient(LoadSettings settings) {
    this.settings = settings;
  }

  /** Runs with the arguments of {@link LoadSettings}. */
  public static void main(String[] arguments) throws Exception {
    new LoadClient(LoadSettings.parse(arguments)).run();
  }

  private void run() throws Exception {
    Thread input = new Thread(this::awaitEndOfInput, "input");
    input.setDaemon(true);
    input.start();
    try (CqlSession cql = Waits.begun(() -> Load.connect(settings.nodes()));
        SkewedEnvironment environment = new SkewedEnvironment(settings.skew());
        HistoryWriter history =
            HistoryWriter.create(settings.log(), settings.process(), System::nanoTime)) {
      Load load =
          Waits.begun(
              () ->
                  new Load(
                      near(cql),
                      settings.keyspace(),
                      environment,
                      settings.haltAt(),
                      store ->
                          LoadArenas.over(store, cql, settings.keyspace(), settings.process())));
      List<RampClient> clients =
          settings.modes().stream()
              .map(mode -> load.client(mode, settings.process() % 2 == 0))
              .toList();
      PlainTable plain = Waits.begun(() -> new PlainTable(cql, settings.keyspace()));
      List<Thread> users = new ArrayList<>();
      for (int user = 0; user < USERS; user++) {
        Random random = new Random(settings.seed() * USERS + user);
        LoadLoop loop =
            settings.batches()
                ? new BatchLoop(plain, environment, history, tally, random)
                : new TransactionLoop(clients, history, tally, random, settings.retries());
        Thread thread = new Thread(() -> repeat(loop, plain, environment, random), "user-" + user);
        thread.start();
        users.add(thread);
      }
      Thread sweeper = new Thread(() -> sweep(load.store()), "sweeper");
      sweeper.setDaemon(true);
      if (settings.process() % 2 == 1) {
        sweeper.start();
      }
      for (Thread user : users) {
        while (user.isAlive()) {
          user.join(TELL_MILLIS);
          System.out.println(line(clients, load));
        }
      }
      System.out.println(line(clients, load));
      clients.forEach(RampClient::close);
    }
    System.exit(0);
  }

  private CqlSession near(CqlSession cql) {
    return settings.process() % 3 == 2 ? SlowSession.of(cql, SLOWER.toNanos()) : cql;
  }

  /** Far more often than clients would: there are few deletions in these collections. */
  private void sweep(VersionStore store) {
    while (!stopped.get()) {
      for (int collection : LoadKeys.collections()) {
        CollectionKey key = LoadKeys.collection(collection);
        if (done(store.openSweep(key.table(), key.partition()))) {
          LockSupport.parkNanos(Load.WINDOW.plusMillis(100).toNanos());
          tally.add(
              done(store.sweep(key.table(), key.partition())) ? Count.SWEEPS : Count.SWEEPS_FAILED);
        }
      }
    }
  }

  private static boolean done(CompletionStage<Void> work) {
    try {
      work.toCompletableFuture().join();
      return true;
    } catch (CompletionException e) {
      System.out.println("not swept: " + e.getCause().getMessage());
      return false;
    }
  }

  private void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody says anything; only the end matters.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    stopped.set(true);
  }

  private void repeat(
      LoadLoop loop, PlainTable plain, SkewedEnvironment environment, Random random) {
    try {
      while (!stopped.get()) {
        loop.step();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(settings.pauseMillis()));
        if (!settings.batches() && random.nextInt(100) < PROBE_PERCENT) {
          probe(plain, environment, random);
        }
      }
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(BROKEN);
    }
  }

  /** What plain CQL of the same size would have come to at this moment. */
  private void probe(PlainTable plain, SkewedEnvironment environment, Random random) {
    var keys = LoadKeys.draw(random);
    boolean writes = random.nextInt(100) < 45;
    tally.add(writes ? Count.PLAIN_WRITES : Count.PLAIN_READS);
    try {
      if (writes) {
        plain.write(keys, 1, environment.wallMicros());
      } else {
        plain.read(keys);
      }
    } catch (DriverException e) {
      tally.add(writes ? Count.PLAIN_WRITES_FAILED : Count.PLAIN_READS_FAILED);
    }
  }

  private String line(List<RampClient> clients, Load load) {
    Tally all = new Tally();
    all.add(tally);
    for (RampClient client : clients) {
      RampStatistics statistics = client.statistics();
      all.add(Count.ROUNDS, statistics.rounds());
      all.add(Count.SECOND_ROUNDS, statistics.secondRounds());
      all.add(Count.READS_AT_ALL, statistics.readsAtAll());
      all.add(Count.REPAIRS, statistics.repairs());
      all.add(Count.COMPLETIONS, statistics.completions());
      all.add(Count.REPREPARED, statistics.reprepared());
      all.add(Count.COLLECTED, statistics.collected());
    }
    load.arenas()
        .ifPresent(
            arenas -> {
              all.add(Count.ARENA_HITS, arenas.hits());
              all.add(Count.ARENA_ASKED, LoadArenas.asked(arenas));
            });
    return all.line();
  }
}
