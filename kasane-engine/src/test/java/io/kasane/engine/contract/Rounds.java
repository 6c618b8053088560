/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Batches that tell how far a writer came: round after round one into one of two tables. What all
 * up to a round leave is known, so a part that is missing is seen.
 */
final class Rounds {
  /** Before the first round. */
  static final int NONE = -1;

  private static final int KEYS = 400;
  private static final int KEYS_OF_BATCH = 20;
  private static final int VALUE_BYTES = 500;

  /** A round that only deletes what is not there leaves no trace, and so on: hardly three. */
  private static final int UNSEEN = 3;

  private Rounds() {}

  static void apply(Engine engine, int round) {
    table(engine, round).apply(batch(round));
  }

  private static EngineTable table(Engine engine, int round) {
    return engine.table("t" + round % 2);
  }

  /** Other keys each round; one in four is deleted. */
  private static EngineBatch batch(int round) {
    SplittableRandom random = new SplittableRandom(round);
    EngineBatch batch = new EngineBatch();
    for (int i = 0; i < KEYS_OF_BATCH; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(random.nextInt(KEYS)).array();
      if (random.nextInt(4) == 0) {
        batch.delete(key);
      } else {
        batch.put(key, ByteBuffer.allocate(VALUE_BYTES).putInt(round).array());
      }
    }
    return batch;
  }

  /** Returns the round up to which an engine has all, exactly; empty if it has no such state. */
  static OptionalInt held(Engine engine) {
    Map<byte[], Integer> even = read(engine, 0);
    Map<byte[], Integer> odd = read(engine, 1);
    int newest = Math.max(newest(even), newest(odd));
    for (int round = newest; round <= newest + UNSEEN; round++) {
      if (even.equals(expected(round, 0)) && odd.equals(expected(round, 1))) {
        return OptionalInt.of(round);
      }
    }
    return OptionalInt.empty();
  }

  private static int newest(Map<byte[], Integer> rounds) {
    return rounds.values().stream().mapToInt(round -> round).max().orElse(NONE);
  }

  private static Map<byte[], Integer> read(Engine engine, int table) {
    Map<byte[], Integer> rounds = new TreeMap<>(Arrays::compareUnsigned);
    try (EngineSnapshot snapshot = table(engine, table).snapshot();
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
        for (EngineBatch.Change change : batch(round).changes()) {
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
