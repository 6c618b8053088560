/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.history.HistoryWriter;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads everything when all is at rest. */
final class LastLook {
  private static final int AT_ONCE = 60;

  private final String keyspace;
  private final Path log;
  private final int process;

  LastLook(String keyspace, Path log, int process) {
    this.keyspace = keyspace;
    this.log = log;
    this.process = process;
  }

  /** Logs what is shown at each of these levels; fails if a version is lost. */
  void log(CqlSession cql, List<ConsistencyLevel> levels) throws IOException {
    try (SkewedEnvironment environment = new SkewedEnvironment(Duration.ZERO);
        HistoryWriter history = HistoryWriter.create(log, process, System::nanoTime)) {
      for (ConsistencyLevel level : levels) {
        try (RampClient client = client(cql, environment, level)) {
          Session session = client.newSession();
          long number = history.newSession();
          for (Set<Long> keys : parts()) {
            var result = Waits.until("get", () -> client.get(readSet(keys), session));
            history.readAtRest(number, TransactionLoop.seen(keys, result));
          }
        }
      }
    }
  }

  private static ReadSet readSet(Set<Long> keys) {
    return TransactionLoop.readSet(keys, Set.of());
  }

  private RampClient client(
      CqlSession cql, SkewedEnvironment environment, ConsistencyLevel firstRound) {
    KeyspaceFacts facts =
        new SchemaReader(cql).keyspace(keyspace).toCompletableFuture().join().orElseThrow();
    Levels levels = Levels.forKeyspace(facts).withFirstRound(firstRound);
    return new RampClient(
        new CqlVersionStore(cql, facts, levels, CqlStoreOptions.defaults(), Load.SHARED),
        RampOptions.defaults().withMaxRounds(100),
        environment);
  }

  /** All keys, some at a time: items of a collection beside keys of the table. */
  private static Iterable<Set<Long>> parts() {
    Map<Long, Set<Long>> parts = new LinkedHashMap<>();
    int count = (LoadKeys.count() + AT_ONCE - 1) / AT_ONCE;
    for (long key = 0; key < LoadKeys.count(); key++) {
      parts.computeIfAbsent(key % count, part -> new LinkedHashSet<>()).add(key);
    }
    return parts.values();
  }
}
