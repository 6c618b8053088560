/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.load.UniformKeys;
import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import io.kasane.bench.ramp.system.StampedValue;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionFailedException;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** The load on a store in memory, with transactions and without. */
class TransactionRunTest {
  private static final TransactionLoad LOAD = new TransactionLoad(10, 4, 0.5, 50, 4, 1);

  /** A map; with a lock around each transaction, or not. */
  private static final class Memory implements TransactionSystem {
    private final Map<Integer, StampedValue> values = new ConcurrentHashMap<>();
    private final TransactionNumbers numbers = new TransactionNumbers();
    private final Lock lock = new ReentrantLock();
    private final boolean locks;
    private volatile boolean refuses;

    Memory(boolean locks) {
      this.locks = locks;
    }

    @Override
    public TransactionClient connect() {
      return new TransactionClient() {
        @Override
        public Reading read(int[] keys) {
          List<SeenValue> seen = new ArrayList<>();
          begin();
          for (int key : keys) {
            StampedValue value = values.get(key);
            seen.add(new SeenValue(key, new Timestamp(value.number(), 0), value));
            LockSupport.parkNanos(1_000);
          }
          end();
          return new Reading(seen, 1);
        }

        @Override
        public long write(int[] keys, byte[] payload) {
          if (refuses && payload[0] % 2 == 0) {
            throw new TransactionFailedException(new IllegalStateException("refused"));
          }
          begin();
          StampedValue value = new StampedValue(numbers.next(), keys, payload);
          for (int key : keys) {
            values.merge(key, value, (a, b) -> a.number() > b.number() ? a : b);
            LockSupport.parkNanos(1_000);
          }
          end();
          return value.number();
        }

        @Override
        public void close() {}
      };
    }

    private void begin() {
      if (locks) {
        lock.lock();
      }
    }

    private void end() {
      if (locks) {
        lock.unlock();
      }
    }

    @Override
    public void close() {}
  }

  private static RunResult run(Memory memory, boolean refuses) throws InterruptedException {
    Ageing.age(memory, LOAD, 2);
    assertThat(memory.values).hasSize(LOAD.keys());
    memory.refuses = refuses;
    return new TransactionRun(memory, LOAD, new UniformKeys(LOAD.keys(), 1))
        .run(Duration.ofMillis(50), Duration.ofMillis(400));
  }

  @Test
  void shouldCountHalvesWhereNothingHoldsTransactionsTogether() throws Exception {
    RunResult result = run(new Memory(false), false);

    assertThat(result.fracturedReads()).isPositive().isLessThanOrEqualTo(result.reads());
    assertThat(result.incompleteReads()).isZero();
    assertThat(result.failed()).isZero();
    assertThat(result.secondRoundShare()).isZero();
    assertThat(result.roundsPerRead()).isEqualTo(1);
  }

  @Test
  void shouldCountNoneUnderALock() throws Exception {
    RunResult result = run(new Memory(true), false);

    assertThat(result.fracturedReads()).isZero();
    assertThat(result.reads()).isPositive();
    assertThat(result.writes()).isPositive();
    assertThat(result.throughput())
        .isEqualTo((result.reads() + result.writes()) / result.seconds());
  }

  @Test
  void shouldCountWhatIsRefusedAsNeitherDoneNorWrong() throws Exception {
    RunResult result = run(new Memory(true), true);

    assertThat(result.failed()).isPositive();
    assertThat(result.firstFailure()).contains("refused");
    assertThat(result.writes()).isPositive();
  }
}
