/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.rdma.client.StoreProcess.ArenaSize;
import io.kasane.ramp.memory.MemoryVersionStore;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Beside a store without servers, which is asked for the same. */
class ShardedStoreTest {
  private static final int OPERATIONS = 3_000;

  /** So few that slots are contended for. */
  private static final ArenaSize SIZE = new ArenaSize(8, 200, 4);

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<ItemKey> keys = new ArrayList<>();

  @TempDir Path directory;

  ShardedStoreTest() {
    for (int i = 0; i < 24; i++) {
      keys.add(new ItemKey("t", Bytes.utf8("key " + i)));
    }
  }

  private static <T> T of(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @ParameterizedTest
  @MethodSource("io.kasane.bench.rdma.client.Transports#here")
  void shouldAnswerAsAStoreWithoutServers(Transport transport) throws IOException {
    VersionStore model = new MemoryVersionStore();
    try (StoreServers servers = StoreServers.start(transport, directory, 2, SIZE);
        ShardedStore store = new ShardedStore(servers)) {
      for (int i = 0; i < OPERATIONS; i++) {
        String what = "operation " + i + ": ";
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            List<Write> writes = writes();
            of(model.prepare(writes));
            of(store.prepare(writes));
          }
          case 2 -> {
            List<Write> writes = writes();
            of(model.commit(writes));
            of(store.commit(writes));
          }
          case 3 -> {
            ItemKey key = key();
            Timestamp timestamp = timestamp();
            of(model.drop(key, timestamp));
            of(store.drop(key, timestamp));
          }
          case 4 -> {
            ItemKey key = key();
            if (of(model.readCommitted(List.of(key), Strength.ALL)).get(0)
                    instanceof Answer.Present present
                && present.version().isDeletion()) {
              of(model.purge(key, present.version().timestamp()));
              of(store.purge(key, present.version().timestamp()));
            }
          }
          case 5 -> {
            List<CandidateQuery> queries = List.of(query(), query());
            assertThat(of(store.readCandidates(queries, Strength.QUORUM)))
                .as(what + queries)
                .isEqualTo(of(model.readCandidates(queries, Strength.QUORUM)));
          }
          default -> {
            List<ItemKey> wanted = List.of(key(), key(), key());
            assertThat(of(store.readCommitted(wanted, Strength.FIRST_ROUND)))
                .as(what + wanted)
                .isEqualTo(of(model.readCommitted(wanted, Strength.FIRST_ROUND)));
          }
        }
      }
      if (transport.isOneSided()) {
        assertThat(store.oneSided().hits()).isPositive();
        assertThat(store.oneSided().misses()).isPositive();
      }
    }
  }

  private ItemKey key() {
    return keys.get(random.nextInt(keys.size()));
  }

  /** Grows, and often comes late. */
  private Timestamp timestamp() {
    return new Timestamp(1 + random.nextInt(500), random.nextInt(2));
  }

  private CandidateQuery query() {
    Set<Timestamp> some = new HashSet<>();
    some.add(timestamp());
    some.add(timestamp());
    return new CandidateQuery(key(), some);
  }

  /** What one transaction writes: the same name gives the same version. */
  private List<Write> writes() {
    Set<ItemKey> some = Set.of(key());
    Timestamp timestamp = timestamp();
    boolean isDeletion = timestamp.micros() % 5 == 0;
    Version version =
        new Version(
            timestamp,
            new SiblingNames(some, isDeletion ? some : Set.of()),
            isDeletion ? Optional.empty() : Optional.of(Bytes.utf8("value of " + timestamp)));
    return some.stream().map(key -> new Write(key, version)).toList();
  }
}
