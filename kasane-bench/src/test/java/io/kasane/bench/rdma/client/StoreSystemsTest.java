/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.ramp.load.Ageing;
import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.load.TransactionLoad;
import io.kasane.bench.ramp.load.TransactionRun;
import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.TransactionClient;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.bench.rdma.client.StoreProcess.ArenaSize;
import io.kasane.ramp.version.ItemKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreSystemsTest {
  private static final ArenaSize SIZE = new ArenaSize(64, 100, 8);

  /** Few keys, so that transactions meet. */
  private static final TransactionLoad LOAD = new TransactionLoad(12, 4, 0.5, 50, 3, 1);

  private static final int MOST_RUNS = 20;

  @TempDir Path directory;

  private static boolean isWithoutHalves(String name, RunResult result) {
    return name.equals(StoreSystems.NONE) && result.fracturedReads() == 0;
  }

  private static RunResult run(TransactionSystem system) throws InterruptedException {
    Ageing.age(system, LOAD, 1);
    return new TransactionRun(system, LOAD, KeyLaws.parse("uniform", LOAD.keys(), 1))
        .run(Duration.ZERO, Duration.ofMillis(700));
  }

  @ParameterizedTest
  @MethodSource("io.kasane.bench.rdma.client.Transports#here")
  void shouldShowTransactionsWholeUnlessThereIsNoControl(Transport transport)
      throws IOException, InterruptedException {
    TransactionNumbers numbers = new TransactionNumbers();
    long halves = 0;
    try (StoreServers servers = StoreServers.start(transport, directory, 2, SIZE);
        ShardedStore store = new ShardedStore(servers)) {
      for (String name : StoreSystems.NAMES) {
        try (TransactionSystem system = StoreSystems.open(name, store, numbers)) {
          RunResult result = run(system);
          for (int more = MOST_RUNS; more > 0 && isWithoutHalves(name, result); more--) {
            result = run(system); // a busy machine lets transactions meet seldom
          }
          assertThat(result.firstFailure()).as(name).isNull();
          assertThat(result.reads()).as(name).isPositive();
          assertThat(result.writes()).as(name).isPositive();
          assertThat(result.incompleteReads()).as(name).isZero();
          if (name.equals(StoreSystems.NONE)) {
            halves = result.fracturedReads();
          } else {
            assertThat(result.fracturedReads()).as(name).isZero();
          }
        }
      }
      assertThat(servers.busy()).isPositive();
    }
    assertThat(halves).as("else nothing is seen of what the others prevent").isPositive();
  }

  @Test
  void shouldTakeLocksBackOfWhoeverGoes() throws Exception {
    List<ItemKey> wanted = StoreKeys.of(StoreSystems.LOCKS, new int[] {1, 2, 3});
    try (StoreServers servers = StoreServers.start(Transport.GET_PLUS, directory, 2, SIZE);
        ShardedStore store = new ShardedStore(servers);
        TransactionSystem system =
            StoreSystems.open(StoreSystems.LOCKS, store, new TransactionNumbers())) {
      Link[] holder = store.borrow();
      store.lock(holder, true, wanted);
      try (TransactionClient client = system.connect()) {
        CompletableFuture<Reading> reading =
            CompletableFuture.supplyAsync(() -> client.read(new int[] {1, 2, 3}));
        ShardedStore.close(holder);
        assertThat(reading.get(10, TimeUnit.SECONDS).values()).isEmpty();
      }
    }
  }
}
