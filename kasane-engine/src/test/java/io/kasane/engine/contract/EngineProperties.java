/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * An engine against sorted maps, by random sequences of operations. {@code jqwik.tries.default}
 * says how many; a failure prints its seed.
 */
public abstract class EngineProperties {
  private static final long CAPACITY_BYTES = 1L << 30;
  private static final int WORDS = 3;

  private final Engine oracle =
      new NaiveProvider(Integer.MAX_VALUE)
          .open(new EngineOptions(Path.of("oracle"), CAPACITY_BYTES, 16L << 20, sync()));

  private Path dir;
  private Engine engine;

  /** Opens the engine under test. */
  protected abstract Engine open(EngineOptions options);

  /** Lengths of keys to draw from. */
  protected abstract int[] keyLengths();

  private static EngineOptions.Durability sync() {
    return EngineOptions.Durability.NONE; // nothing crashes here
  }

  @BeforeProperty
  void openAnEngine() throws IOException {
    dir = Files.createTempDirectory("kasane-engine");
    engine = open();
  }

  private Engine open() {
    return open(new EngineOptions(dir, CAPACITY_BYTES, 16L << 20, sync()));
  }

  @AfterProperty
  void close() throws IOException {
    engine.close();
    delete(dir);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property
  void behavesAsSortedMaps(
      @ForAll @Size(min = 1, max = 80) List<@IntRange(max = 99) Integer> steps, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<EngineSnapshot[]> open = new ArrayList<>();
    try {
      for (int step : steps) {
        String table = "t" + random.nextInt(2);
        if (step < 50) {
          EngineBatch batch = batch(random, step);
          engine.table(table).apply(batch);
          oracle.table(table).apply(batch);
        } else if (step < 85) {
          try (EngineSnapshot now = engine.table(table).snapshot();
              EngineSnapshot expected = oracle.table(table).snapshot()) {
            compare(now, expected, random);
          }
        } else if (step < 92) {
          open.add(
              new EngineSnapshot[] {
                engine.table(table).snapshot(), oracle.table(table).snapshot()
              });
        } else if (step < 96) {
          engine.table(table).drop();
          oracle.table(table).drop();
        } else if (step == 96) {
          compareAndClose(open, random);
          engine.close();
          engine = open();
        } else {
          compareAndClose(open, random);
        }
      }
      compareAndClose(open, random);
      assertThat(engine.tables()).isEqualTo(oracle.tables());
    } finally {
      for (EngineSnapshot[] both : open) {
        both[0].close();
        both[1].close();
      }
      List.copyOf(engine.tables()).forEach(table -> engine.table(table).drop());
      List.copyOf(oracle.tables()).forEach(table -> oracle.table(table).drop());
    }
  }

  private void compareAndClose(List<EngineSnapshot[]> open, SplittableRandom random) {
    for (EngineSnapshot[] both : open) {
      compare(both[0], both[1], random);
      both[0].close();
      both[1].close();
    }
    open.clear();
  }

  private EngineBatch batch(SplittableRandom random, int changes) {
    EngineBatch batch = new EngineBatch();
    for (int i = 0; i <= changes % 12; i++) {
      byte[] key = key(random);
      if (random.nextInt(3) == 0) {
        batch.delete(key);
      } else {
        byte[] value = new byte[random.nextInt(20)];
        random.nextBytes(value);
        batch.put(key, value);
      }
    }
    return batch;
  }

  /** Few words, so that keys meet; those of one word differ at their ends. */
  private byte[] key(SplittableRandom random) {
    byte[] key = new byte[keyLengths()[random.nextInt(keyLengths().length)]];
    Arrays.fill(key, (byte) (127 * random.nextInt(WORDS)));
    key[key.length - 1] = (byte) random.nextInt(-2, 3);
    if (random.nextInt(4) == 0) {
      key[random.nextInt(key.length)] = 1;
    }
    return key;
  }

  private void compare(EngineSnapshot now, EngineSnapshot expected, SplittableRandom random) {
    List<byte[]> keys = IntStream.range(0, 8).mapToObj(i -> key(random)).toList();
    assertThat(now.getAll(keys).toArray(byte[][]::new))
        .isDeepEqualTo(expected.getAll(keys).toArray(byte[][]::new));
    assertThat(now.get(keys.get(0))).isEqualTo(expected.get(keys.get(0)));
    KeyRange range =
        random.nextBoolean()
            ? KeyRange.all()
            : KeyRange.of(key(random), random.nextInt(4) == 0 ? null : key(random));
    boolean reversed = random.nextBoolean();
    assertThat(Entries.scanHex(now, range, reversed))
        .as("%s reversed %s", range, reversed)
        .isEqualTo(Entries.scanHex(expected, range, reversed));
  }
}
