/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.it.safety.SmallDisk;
import io.kasane.node.ByteSize;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two tables are made, dropped, made again with their ids, truncated, altered, indexed, copied and
 * restored in any order, while the node is killed, an engine fails, hangs or is full, and the disk
 * of the SSTables is full. A model says what rows there are; in the end nothing else may be left.
 *
 * <p>{@code -Dkasane.campaign.sequences=200} asks for more, {@code -Dkasane.seed=N} replays one as
 * far as its timing allows. {@code -Dkasane.campaign.periodic=true} has a commit log that is synced
 * as Cassandra does by default. {@code -Dkasane.engine.latest=true} has nodes set up as Cassandra's
 * newest settings are; any test of engines takes it.
 */
@Tag("node")
@Tag("campaign")
class EngineCampaignIT {
  private static final int SEQUENCES = TestRun.size("kasane.campaign.sequences", 1, 20);
  private static final int STEPS = Integer.getInteger("kasane.campaign.steps", 20);
  private static final long SEED = TestRun.seed();
  private static final boolean IS_PERIODIC = Boolean.getBoolean("kasane.campaign.periodic");

  /** Longer than Cassandra takes to mark what it wrote to a log that is synced periodically. */
  private static final Duration MARKED = Duration.ofMillis(300);

  /** The one that it is tried with. */
  private static final int TABLES_OF_NOBODY = 1;

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> FAULTS =
      List.of("throw", "throw-writes", "throw-reads", "full", "hang", "hang-writes", "slow-walks");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private final List<String> told = new ArrayList<>();
  private SmallDisk disk;
  private FaultyNode faulty;
  private boolean isIll;
  private String fault = "";
  private Random random;
  private List<CampaignTable> tables;

  /** Those of sequences of before, which are dropped. */
  private final List<CampaignTable> ended = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    Optional<SmallDisk> mounted = SmallDisk.mount(dir.resolve("disk"), ByteSize.parse("256MiB"));
    assumeTrue(mounted.isPresent(), "to make a small disk needs Linux, and root");
    disk = mounted.get();
    faulty =
        FaultyNode.start(
            dir,
            settings -> {
              FaultyNode.impatient(settings)
                  .slow(disk.directory().resolve("data"))
                  .yaml("range_request_timeout", "5s") // what hangs is waited for so long
                  .jvmFlag("-Dkasane.engine_orphan_pause_millis=1000")
                  // Killed in a DROP, it may find half of what the schema said.
                  .jvmFlag("-Dcassandra.ignore_corrupted_schema_tables=true");
              if (!IS_PERIODIC) {
                settings.syncEveryWrite();
              }
              EngineNodes.memtables(
                  settings, Map.of("default", "", "faulty", "faulty", "rocksdb", "rocksdb"));
            });
  }

  @AfterEach
  void stop() {
    if (faulty != null) {
      faulty.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void shouldHaveTheRowsThatItWasTold() throws Exception {
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
      long seed = SEED + sequence;
      random = new Random(seed);
      told.clear();
      tables =
          List.of(
              new CampaignTable(faulty, "a" + sequence, random),
              new CampaignTable(faulty, "b" + sequence, random));
      long began = System.nanoTime();
      try {
        for (int i = 0; i < STEPS; i++) {
          step(tables.get(random.nextInt(tables.size())));
        }
        end();
        ended.addAll(tables);
        if (ended.size() >= 10 || sequence == SEQUENCES - 1) {
          requireNothingLeft();
        }
      } catch (Throwable e) {
        throw new AssertionError(
            "-Dkasane.seed=" + seed + ", node " + dir + ", told " + told + ": " + e, e);
      }
      System.out.printf(
          "campaign %d/%d, seed %d: %d steps in %.1f s%n",
          sequence + 1, SEQUENCES, seed, told.size(), (System.nanoTime() - began) / 1e9);
    }
  }

  private void tell(Object what) {
    told.add(what.toString());
  }

  private void step(CampaignTable table) throws Exception {
    int kind = random.nextInt(100);
    if (kind < 3) {
      kill(Optional.empty(), table);
    } else if (kind < 9) {
      fault(FAULTS.get(random.nextInt(FAULTS.size())));
    } else if (kind < 18) {
      heal();
    } else if (!table.exists()) {
      CampaignTable.Change create =
          random.nextBoolean() ? table.create() : table.createAgain().orElse(table.create());
      change(table, create);
      write(table);
    } else if (kind < 45) {
      write(table);
    } else if (kind < 56) {
      flush(table);
    } else if (kind < 68) {
      change(table, table.alter());
    } else if (kind < 73) {
      truncate(table);
    } else if (kind < 80) {
      change(table, table.drop());
    } else if (kind < 86) {
      snapshot(table, random.nextInt(1 << 30));
    } else if (kind < 91) {
      restore(table);
    } else if (kind < 95) {
      change(table, table.index());
    } else if (kind < 98) {
      maintain(table);
    } else {
      fillDisk(table);
    }
    verify(table);
  }

  // ---- the node

  private LocalNode node() {
    return faulty.node();
  }

  private void fault(String word) throws IOException {
    tell("fault " + word);
    faulty.fault(word);
    fault = word;
    isIll = true;
  }

  private void heal() throws IOException {
    tell("heal");
    faulty.heal();
    faulty.awaitWorking();
    isWell();
  }

  private void isWell() {
    fault = "";
    isIll = false;
  }

  /** Ends the process, at once or somewhere in a change that is on its way. */
  private void kill(Optional<CampaignTable.Change> during, CampaignTable table) throws IOException {
    tell("kill" + during.map(change -> " during " + change.cql()).orElse(""));
    if (during.isPresent()) {
      var unused = faulty.session().executeAsync(during.get().cql());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(500)));
    }
    if (IS_PERIODIC) {
      LockSupport.parkNanos(MARKED.toNanos());
    }
    node().kill9();
    faulty.startAgain();
    isWell();
    faulty.awaitWorking();
    if (during.isPresent()) {
      table.resolve(during.get());
    }
    for (CampaignTable each : tables) {
      each.settle();
      verify(each);
    }
  }

  private void verify(CampaignTable table) throws IOException {
    if (!table.exists()) {
      return;
    }
    try {
      table.verify();
    } catch (DriverException e) {
      if (!isIll) {
        throw e;
      }
    }
  }

  // ---- what may fail

  private void change(CampaignTable table, CampaignTable.Change change) throws IOException {
    if (random.nextInt(12) == 0) {
      kill(Optional.of(change), table);
      return;
    }
    if (fault.startsWith("hang") && change.what().equals("drop")) {
      heal(); // Cassandra waits for reads that are at it, which may hang in the engine
    }
    tell(change.cql());
    table.run(change, !isIll);
  }

  private void write(CampaignTable table) {
    if (table.exists()) {
      tell("write to " + table);
      table.write(false);
    }
  }

  private void flush(CampaignTable table) {
    tell("flush " + table);
    table.flush();
  }

  /** Is empty or as before. */
  private boolean truncate(CampaignTable table) throws IOException {
    if (!isIll) {
      change(table, table.truncate());
      return true;
    }
    tell("try to truncate " + table);
    try {
      table.run(table.truncate(), false);
      return true;
    } catch (DriverException e) {
      return false;
    }
  }

  private void snapshot(CampaignTable table, int tag) throws IOException {
    tell("snapshot " + tag + " of " + table);
    try {
      table.takeSnapshot("s" + tag);
    } catch (RuntimeException | IOException e) {
      if (!isIll) {
        throw e;
      }
    }
  }

  private void maintain(CampaignTable table) {
    String command = table.anyMaintenance();
    tell(command + " " + table);
    try {
      table.maintain(command);
    } catch (RuntimeException e) {
      if (!isIll) {
        throw e;
      }
    }
  }

  private void restore(CampaignTable table) throws IOException {
    if (table.hasSnapshots() && !isIll) {
      tell("restore " + table);
      table.run(table.truncate(), false);
      table.restore(dir.resolve("import"));
    }
  }

  /** Whatever fails then, the node has it all when it starts with room again. */
  private void fillDisk(CampaignTable table) throws IOException {
    tell("fill the disk beside " + table);
    Path filling = disk.directory().resolve("filling");
    try (OutputStream out = Files.newOutputStream(filling)) {
      byte[] bytes = new byte[1 << 16];
      while (true) {
        out.write(bytes);
      }
    } catch (IOException e) {
      tell("full");
    }
    table.write(true);
    CampaignTable.Change alter = table.alter();
    tell(alter.cql());
    for (Attempt attempt :
        List.<Attempt>of(
            table::flush,
            () -> faulty.session().execute(alter.cql()),
            () -> table.takeSnapshot("full"),
            table::flush,
            table::verify)) {
      try {
        attempt.run();
      } catch (RuntimeException | IOException e) {
        tell("failed: " + e.getClass().getSimpleName());
      }
    }
    Files.delete(filling);
    kill(Optional.empty(), table);
    table.resolve(alter);
  }

  private interface Attempt {
    void run() throws IOException;
  }

  // ---- the end of a sequence

  private void end() throws IOException {
    heal();
    for (CampaignTable table : tables) {
      await("indexes of " + table, table::isReady);
      verify(table);
      if (table.exists()) {
        table.run(table.alter("default"), false);
        verify(table);
        table.run(table.drop(), false);
      }
    }
  }

  private void requireNothingLeft() throws IOException {
    await(
        "engines without tables",
        () -> tablesIn("faulty") == TABLES_OF_NOBODY && tablesIn("rocksdb") == TABLES_OF_NOBODY);
    for (CampaignTable table : ended) {
      await("no SSTables of " + table, () -> table.strayFiles().isEmpty());
      table.deleteSnapshots();
    }
    await("an empty ledger", () -> lines(".kasane-engines").isEmpty());
    await("no left-overs", () -> lines(".kasane-left-overs").isEmpty());
    ended.clear();
  }

  private static void await(String what, java.util.concurrent.Callable<Boolean> isSo) {
    Awaitility.await(what).atMost(PATIENCE).until(isSo);
  }

  private int tablesIn(String engine) {
    Row row =
        faulty
            .session()
            .execute("SELECT tables FROM kasane_views.engines WHERE engine = ?", engine)
            .one();
    return row.isNull(0) ? -1 : row.getInt(0);
  }

  /** Of a file in the data directory, without its first and its last. */
  private List<String> lines(String file) throws IOException {
    Path path = node().settings().slow().resolve(file);
    if (!Files.exists(path)) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(path);
    return lines.subList(1, lines.size() - 1);
  }
}
