/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A process that writes until it is killed: round after round a batch into one of two tables, and a
 * line for each that was synced.
 */
final class KilledWriter {
  static final int KEYS = 400;
  static final int KEYS_OF_BATCH = 20;
  private static final int VALUE_BYTES = 500;

  private KilledWriter() {}

  /** Arguments: provider's class, directory, durability, first round. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    EngineProvider provider =
        Class.forName(arguments[0])
            .asSubclass(EngineProvider.class)
            .getDeclaredConstructor()
            .newInstance();
    Engine engine =
        provider.open(
            options(Path.of(arguments[1]), EngineOptions.Durability.valueOf(arguments[2])));
    for (int round = Integer.parseInt(arguments[3]); ; round++) {
      table(engine, round).apply(batch(round));
      engine.sync();
      System.out.println(round);
      System.out.flush();
    }
  }

  static EngineOptions options(Path directory, EngineOptions.Durability durability) {
    return new EngineOptions(directory, 256L << 20, 32L << 20, durability);
  }

  static EngineTable table(Engine engine, int round) {
    return engine.table("t" + round % 2);
  }

  /** Other keys each round; one in four is deleted. */
  static EngineBatch batch(int round) {
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
}
