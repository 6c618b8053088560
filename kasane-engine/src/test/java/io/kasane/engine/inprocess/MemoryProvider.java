/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.inprocess;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineLimits;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.EngineUsage;
import io.kasane.engine.spi.KeyRange;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sorted maps that tests break, step by step. What one provider has is one disk: an engine that is
 * closed and opened again, by whatever directory, finds it.
 */
public class MemoryProvider implements EngineProvider {
  /** As short as LMDB's, so that long keys are cut. */
  private static final int KEY_BYTES = 500;

  private static final Path DISK = Path.of("one-disk");

  private final NaiveProvider disk = new NaiveProvider(KEY_BYTES);
  private final Map<Step, AtomicLong> calls = new EnumMap<>(Step.class);
  private volatile Fault fault = step -> {};

  /** What an engine is asked for. */
  public enum Step {
    TABLE,
    APPLY,
    SYNC,
    DROP,
    SNAPSHOT,
    WALK
  }

  /** What comes before a step. */
  public interface Fault {
    void on(Step step);
  }

  /** Under another name: two engines of one node. */
  public static final class Other extends MemoryProvider {
    /** For {@link java.util.ServiceLoader}. */
    public Other() {}

    @Override
    public String name() {
      return "other";
    }
  }

  /** For {@link java.util.ServiceLoader}. */
  public MemoryProvider() {
    for (Step step : Step.values()) {
      calls.put(step, new AtomicLong());
    }
  }

  @Override
  public String name() {
    return "memory";
  }

  /** Calls {@code next} before each step from now on. */
  public void fault(Fault next) {
    fault = next;
  }

  /** Lets every such step fail from now on. */
  public void failAt(Step failing) {
    fault(
        step -> {
          if (step == failing) {
            throw new EngineException(Kind.FAILED, "no " + step + ", by the test");
          }
        });
  }

  /** Refuses the next batch for want of room, and none after it: one table's bad luck. */
  public void refuseOnce() {
    AtomicBoolean isRefused = new AtomicBoolean();
    fault(
        step -> {
          if (step == Step.APPLY && isRefused.compareAndSet(false, true)) {
            throw new EngineException(Kind.FULL, "full for once, by the test");
          }
        });
  }

  /** Nothing is wrong any more. */
  public void heal() {
    fault(step -> {});
  }

  /** Returns how often a step was asked for. */
  public long calls(Step step) {
    return calls.get(step).get();
  }

  private void on(Step step) {
    calls.get(step).incrementAndGet();
    fault.on(step);
  }

  @Override
  public Engine open(EngineOptions options) {
    return new BrokenEngine(
        disk.open(
            new EngineOptions(
                DISK, options.capacityBytes(), options.memoryBytes(), options.durability())));
  }

  private final class BrokenEngine implements Engine {
    private final Engine engine;

    BrokenEngine(Engine engine) {
      this.engine = engine;
    }

    @Override
    public EngineLimits limits() {
      return engine.limits();
    }

    @Override
    public EngineTable table(String name) {
      on(Step.TABLE);
      return new BrokenTable(engine.table(name));
    }

    @Override
    public Set<String> tables() {
      return engine.tables();
    }

    @Override
    public void sync() {
      on(Step.SYNC);
      engine.sync();
    }

    @Override
    public EngineUsage usage() {
      return engine.usage();
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private final class BrokenTable implements EngineTable {
    private final EngineTable table;

    BrokenTable(EngineTable table) {
      this.table = table;
    }

    @Override
    public EngineSnapshot snapshot() {
      on(Step.SNAPSHOT);
      return new BrokenSnapshot(table.snapshot());
    }

    @Override
    public void apply(EngineBatch batch) {
      on(Step.APPLY);
      table.apply(batch);
    }

    @Override
    public Size size() {
      return table.size();
    }

    @Override
    public void drop() {
      on(Step.DROP);
      table.drop();
    }
  }

  private final class BrokenSnapshot implements EngineSnapshot {
    private final EngineSnapshot snapshot;

    BrokenSnapshot(EngineSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public byte[] get(byte[] key) {
      return snapshot.get(key);
    }

    @Override
    public List<byte[]> getAll(List<byte[]> keys) {
      return snapshot.getAll(keys);
    }

    @Override
    public EngineCursor scan(KeyRange range, boolean reversed) {
      EngineCursor cursor = snapshot.scan(range, reversed);
      return new EngineCursor() {
        @Override
        public boolean next() {
          on(Step.WALK);
          return cursor.next();
        }

        @Override
        public byte[] key() {
          return cursor.key();
        }

        @Override
        public byte[] value() {
          return cursor.value();
        }

        @Override
        public void close() {
          cursor.close();
        }
      };
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }
}
