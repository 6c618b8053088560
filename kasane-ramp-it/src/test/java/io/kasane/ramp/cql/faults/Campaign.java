/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.ramp.history.Anomaly;
import io.kasane.ramp.history.History;
import io.kasane.ramp.history.HistoryAssembler;
import io.kasane.ramp.history.HistoryChecker;
import io.kasane.ramp.history.HistoryReport;
import io.kasane.ramp.history.HistoryWriter;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.version.Mode;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.awaitility.Awaitility;

/** Client processes over one keyspace, and the history that they leave. For one thread. */
final class Campaign implements AutoCloseable {
  /** How many transactions are wanted; 0 for a short run, in which processes live for a minute. */
  static final long WANTED = TestRun.size("kasane.ramp.transactions", 0, 12_000);

  /** Between the transactions of a user in a short run, so that nodes have room to start. */
  private static final int PAUSE_MILLIS = 40;

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PATIENCE_FOR_EACH = Duration.ofMillis(50);
  private static final List<Long> SKEWS_MILLIS = List.of(-10_000L, 0L, 10_000L, 5_000L);

  private final String name;
  private final String keyspace;
  private final Path dir;
  private final Random random;
  private final List<Path> logs = new ArrayList<>();
  private final List<LoadProcess> running = new ArrayList<>();
  private final Tally ended = new Tally();
  private int lastProcess;
  private int halts;

  /**
   * Nothing runs yet.
   *
   * @param dir where the history is kept
   */
  Campaign(String name, String keyspace, Path dir, long seed) throws IOException {
    this.name = name;
    this.keyspace = keyspace;
    this.dir = Files.createDirectories(dir);
    this.random = new Random(seed);
    try (var old = Files.list(dir)) {
      for (Path file :
          old.filter(each -> each.getFileName().toString().startsWith(name)).toList()) {
        Files.delete(file);
      }
    }
    say("seed " + seed);
  }

  void say(String text) {
    System.out.println(name + ": " + text);
  }

  private Path newLog() {
    Path log = dir.resolve(name + "-" + lastProcess + ".log");
    logs.add(log);
    return log;
  }

  /** Starts processes whose clocks go apart; half of them try failed puts again. */
  void start(int processes, List<LocalNode> nodes, List<Mode> modes, boolean batches, int haltAt)
      throws IOException {
    List<String> addresses =
        nodes.stream()
            .map(node -> node.settings().address() + ":" + node.settings().nativePort())
            .toList();
    for (int each = 0; each < processes; each++) {
      lastProcess++;
      running.add(
          LoadProcess.start(
              new LoadSettings(
                  addresses,
                  keyspace,
                  lastProcess,
                  random.nextInt(1_000_000),
                  SKEWS_MILLIS.get(each % SKEWS_MILLIS.size()),
                  newLog(),
                  each % 2 == 0 && haltAt > 0 ? haltAt + each / 2 : 0,
                  each % 2 == 0,
                  modes,
                  batches,
                  WANTED > 0 ? 0 : PAUSE_MILLIS)));
    }
  }

  /** What all processes did so far, about. */
  Tally tally() {
    Tally all = new Tally();
    all.add(ended);
    running.forEach(process -> all.add(process.tally()));
    return all;
  }

  /** How many processes ended between PREPARE and COMMIT. */
  int halts() {
    return halts;
  }

  /** Starts again what ended between PREPARE and COMMIT, to do so again later. */
  void revive() throws IOException {
    for (LoadProcess process : List.copyOf(running)) {
      process.requireNotBroken();
      if (process.halted()) {
        halts++;
        ended.add(process.tally());
        running.remove(process);
        lastProcess++;
        int haltAt = 100 + random.nextInt(4000);
        running.add(LoadProcess.start(process.settings().with(lastProcess, newLog(), haltAt)));
      }
    }
  }

  /** Waits for so many more transactions. */
  void await(long more) {
    long wanted = tally().transactions() + more;
    Awaitility.await(more + " more transactions")
        .atMost(PATIENCE.plus(PATIENCE_FOR_EACH.multipliedBy(more)))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              revive();
              return tally().transactions() >= wanted;
            });
  }

  /** Does so many transactions in this process, one after the other. */
  void runHere(CqlSession cql, Mode mode, int transactions) throws IOException {
    lastProcess++;
    try (SkewedEnvironment environment = new SkewedEnvironment(Duration.ZERO);
        HistoryWriter history = HistoryWriter.create(newLog(), lastProcess, System::nanoTime);
        RampClient client = new Load(cql, keyspace, environment, 0).client(mode, false)) {
      Random own = new Random(random.nextInt());
      TransactionLoop user = new TransactionLoop(List.of(client), history, ended, own, true);
      for (int each = 0; each < transactions; each++) {
        user.step();
      }
    }
    say(ended.toString());
  }

  /** Ends all processes. */
  void stop() throws IOException, InterruptedException {
    for (LoadProcess process : running) {
      process.stop();
      halts += process.halted() ? 1 : 0;
      ended.add(process.tally());
    }
    running.clear();
    say(ended.toString());
    say(ended.availability());
  }

  /** What the next process of this history is to log to. */
  LastLook lastLook() throws IOException {
    lastProcess++;
    return new LastLook(keyspace, newLog(), lastProcess);
  }

  /** Makes one history of all logs, and checks it. */
  HistoryReport check(Set<Anomaly> wanted) throws IOException {
    History history = History.in(dir, name);
    List<Path> written = logs.stream().filter(Files::exists).toList();
    long unresolved = HistoryAssembler.assemble(written, history);
    // Sweeps leave deletions out of what collections show, and tokens know of settled ones nothing.
    HistoryReport report = HistoryChecker.check(history, wanted, true);
    say(
        String.format(
            "%d processes, %d halted between PREPARE and COMMIT; %d puts, %d gets, %d keys at rest,"
                + " %d reads of deletions unresolved, anomalies %s; history %s",
            written.size(),
            halts,
            report.puts(),
            report.gets(),
            report.keysAtRest(),
            unresolved,
            report.counts(),
            history.operations()));
    return report;
  }

  /** Fails if the history shows any of these. */
  void requireNone(Set<Anomaly> wanted) throws IOException {
    HistoryReport report = check(wanted);
    assertThat(report.violations()).as("%s, of %s", report.counts(), name).isEmpty();
    assertThat(report.puts()).isPositive();
    assertThat(report.gets()).isPositive();
  }

  @Override
  public void close() {
    running.forEach(LoadProcess::kill);
  }
}
