/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineOptions.Durability;
import io.kasane.engine.spi.EngineProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that writes into an engine is killed, or the machine's power is cut, again and again:
 * what it was told to be synced is there afterwards, each batch whole, and at most the batch that
 * it was at besides. {@code kasane.engine.kills} and {@code kasane.engine.cuts} say how often,
 * {@code kasane.seed} when.
 */
public abstract class EngineKillContract {
  private static final int KILLS = Integer.getInteger("kasane.engine.kills", 4);
  private static final int CUTS = Integer.getInteger("kasane.engine.cuts", 4);
  private static final int MOST_CUTS = 10;
  private static final long DISK_BYTES = 512L << 20;

  private final long seed = Long.getLong("kasane.seed", 1);
  private final Random random = new Random(seed);

  @TempDir private Path dir;

  /** The kind under test, which has a public constructor without arguments. */
  protected abstract EngineProvider provider();

  @ParameterizedTest
  @EnumSource
  void whatWasSyncedOutlivesTheProcess(Durability durability) throws Exception {
    EngineOptions options = KilledWriter.options(dir.resolve("engine"), durability);
    int round = Rounds.NONE;
    for (int kill = 1; kill <= KILLS; kill++) {
      int synced = KilledWriter.writeAndKill(provider(), options, round + 1, random);
      round = held(options).orElse(Integer.MIN_VALUE);
      assertThat(round)
          .as("rounds after kill %d of seed %d", kill, seed)
          .isBetween(synced, synced + 1);
    }
    assertThat(KilledWriter.temporary(options)).as("what it left").isEmptyDirectory();
    System.out.printf("%s %s: %d rounds, %d kills%n", provider().name(), durability, round, KILLS);
  }

  @Test
  void whatWasSyncedOutlivesAPowerCut() throws Exception {
    assumeThat(PowerCutDisk.isPossible(dir)).as("root, and disks in files").isTrue();
    try (PowerCutDisk disk = PowerCutDisk.create(dir, DISK_BYTES)) {
      EngineOptions options = onDisk(disk, Durability.SYNC);
      int round = Rounds.NONE;
      for (int cut = 1; cut <= CUTS; cut++) {
        int synced = KilledWriter.writeAndKill(provider(), options, round + 1, random);
        disk.cut();
        round = held(options).orElse(Integer.MIN_VALUE);
        assertThat(round)
            .as("rounds after power cut %d of seed %d", cut, seed)
            .isBetween(synced, synced + 1);
      }
      System.out.printf("%s: %d rounds, %d power cuts%n", provider().name(), round, CUTS);
    }
  }

  /**
   * Else the cuts of the other test would cut nothing. A server may have synced just before one.
   */
  @Test
  void whatWasNotToBeSyncedIsLostInAPowerCut() throws Exception {
    assumeThat(PowerCutDisk.isPossible(dir)).as("root, and disks in files").isTrue();
    int cuts = 1;
    while (!isAnythingLostInACut(Files.createDirectory(dir.resolve("cut" + cuts)))) {
      assertThat(cuts++).as("cuts in which nothing was lost, seed %d", seed).isLessThan(MOST_CUTS);
    }
  }

  private boolean isAnythingLostInACut(Path place) throws Exception {
    try (PowerCutDisk disk = PowerCutDisk.create(place, DISK_BYTES)) {
      EngineOptions options = onDisk(disk, Durability.NONE);
      int synced = KilledWriter.writeAndKill(provider(), options, 0, random);
      disk.cut();
      int found;
      try {
        found = held(options).orElse(Rounds.NONE);
      } catch (EngineException e) {
        found = Rounds.NONE; // nothing of it can be read
      }
      return found < synced;
    }
  }

  private static EngineOptions onDisk(PowerCutDisk disk, Durability durability) {
    return KilledWriter.options(disk.directory().resolve("engine"), durability);
  }

  private OptionalInt held(EngineOptions options) {
    try (Engine engine = provider().open(options)) {
      return Rounds.held(engine);
    }
  }
}
