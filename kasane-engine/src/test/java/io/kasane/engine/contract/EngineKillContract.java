/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that writes into an engine is killed, again and again: what it was told to be synced is
 * there afterwards, each batch whole, and at most the batch that it was at besides. {@code
 * kasane.engine.kills} says how often, {@code kasane.seed} when.
 */
public abstract class EngineKillContract {
  private static final int KILLS = Integer.getInteger("kasane.engine.kills", 4);
  private static final long MOST_MILLIS = 400;

  @TempDir private Path dir;

  /** The kind under test, which has a public constructor without arguments. */
  protected abstract EngineProvider provider();

  @ParameterizedTest
  @EnumSource
  void whatWasSyncedOutlivesTheProcess(EngineOptions.Durability durability) throws Exception {
    long seed = Long.getLong("kasane.seed", System.nanoTime());
    Random random = new Random(seed);
    int round = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      int acknowledged = writeAndKill(durability, round, random);
      int found = held(durability);
      assertThat(found)
          .as("rounds after kill %d of seed %d", kill, seed)
          .isBetween(acknowledged, acknowledged + 1);
      round = found + 1;
    }
    assertThat(round).as("rounds").isGreaterThan(KILLS);
    System.out.printf("%s %s: %d rounds, %d kills%n", provider().name(), durability, round, KILLS);
  }

  /** Returns the last round that the process said to be synced; it writes at least one. */
  private int writeAndKill(EngineOptions.Durability durability, int first, Random random)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                provider().getClass().getName(),
                dir.toString(),
                durability.name(),
                String.valueOf(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      assertThat(line).as("the first round").isEqualTo(String.valueOf(first));
      Thread.sleep(random.nextLong(MOST_MILLIS)); // how long it runs is drawn
      process.toHandle().destroyForcibly(); // what it said before can still be read
      int last = first;
      for (line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.isEmpty() ? last : Math.max(last, Integer.parseInt(line));
      }
      process.waitFor();
      return last;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns up to which round the engine holds all, exactly. */
  private int held(EngineOptions.Durability durability) {
    try (Engine engine = provider().open(KilledWriter.options(dir, durability))) {
      Map<byte[], Integer> even = read(engine, 0);
      Map<byte[], Integer> odd = read(engine, 1);
      int newest =
          Math.max(
              even.values().stream().mapToInt(i -> i).max().orElse(0),
              odd.values().stream().mapToInt(i -> i).max().orElse(0));
      // A round that only deleted would leave no number: the next ones are tried, too.
      for (int round = newest; round < newest + 3; round++) {
        if (even.equals(expected(round, 0)) && odd.equals(expected(round, 1))) {
          return round;
        }
      }
      throw new AssertionError("of round " + newest + " a part is missing");
    }
  }

  private static Map<byte[], Integer> read(Engine engine, int table) {
    Map<byte[], Integer> rounds = new TreeMap<>(Arrays::compareUnsigned);
    try (EngineSnapshot snapshot = KilledWriter.table(engine, table).snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.all(), false)) {
      while (cursor.next()) {
        rounds.put(cursor.key(), ByteBuffer.wrap(cursor.value()).getInt());
      }
    }
    return rounds;
  }

  private static Map<byte[], Integer> expected(int rounds, int table) {
    Map<byte[], Integer> expected = new TreeMap<>(Arrays::compareUnsigned);
    for (int round = 0; round <= rounds; round++) {
      if (round % 2 == table) {
        for (EngineBatch.Change change : KilledWriter.batch(round).changes()) {
          if (change.isDelete()) {
            expected.remove(change.key());
          } else {
            expected.put(change.key(), round);
          }
        }
      }
    }
    return expected;
  }
}
