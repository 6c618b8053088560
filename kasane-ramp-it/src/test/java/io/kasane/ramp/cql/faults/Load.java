/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.cql.arena.FirstRounds;
import io.kasane.ramp.cql.collect.LeftoverScan;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.LeftoverCounts;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.version.Mode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The clients under load, with times that suit faults: nobody waits long for who is gone. */
final class Load {
  /** How long a request of the driver may take. */
  static final Duration REQUEST = Duration.ofSeconds(4);

  /** How long a node waits for others. */
  static final String NODE_TIMEOUT = "3000ms";

  private static final Duration DEADLINE = Duration.ofSeconds(5);
  static final Duration WINDOW = Duration.ofSeconds(11);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration HINTS = Duration.ofDays(10);
  private static final int FEW_FLOORS = 60;

  /** What all clients of the tables share, but for the mode. */
  static final RampOptions SHARED =
      RampOptions.defaults().withDeadline(DEADLINE).withGcWindow(WINDOW);

  private final TableStore store;
  private final Optional<ArenaMetrics> arenas;
  private final HaltingStore halting;
  private final SkewedEnvironment environment;

  /** Clients that read by CQL alone. */
  Load(CqlSession cql, String keyspace, SkewedEnvironment environment, int haltAt) {
    this(cql, keyspace, environment, haltAt, store -> Optional.empty());
  }

  /**
   * Clients whose first rounds may be answered otherwise.
   *
   * @param haltAt which commit ends the process; 0 for none
   */
  Load(
      CqlSession cql,
      String keyspace,
      SkewedEnvironment environment,
      int haltAt,
      Function<TableStore, Optional<FirstRounds>> over) {
    KeyspaceFacts facts =
        new SchemaReader(cql).keyspace(keyspace).toCompletableFuture().join().orElseThrow();
    CqlVersionStore asking =
        new CqlVersionStore(
            cql, facts, Levels.forKeyspace(facts), CqlStoreOptions.defaults(), SHARED);
    Optional<FirstRounds> shared = over.apply(asking);
    this.arenas = shared.map(FirstRounds::metrics);
    this.store = shared.isPresent() ? shared.get() : asking;
    this.halting = new HaltingStore(store, environment, haltAt);
    this.environment = environment;
    open(LoadKeys.TABLE);
    open(LoadKeys.COLLECTIONS);
  }

  private void open(String table) {
    store.open(table).toCompletableFuture().join();
  }

  /**
   * A session that fails fast.
   *
   * @param nodes HOST:PORT each, of which one at least is up
   */
  static CqlSession connect(List<String> nodes) {
    var config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2));
    return CqlSession.builder()
        .addContactPoints(nodes.stream().map(Load::address).toList())
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(config.build())
        .build();
  }

  private static InetSocketAddress address(String node) {
    int colon = node.lastIndexOf(':');
    return new InetSocketAddress(
        node.substring(0, colon), Integer.parseInt(node.substring(colon + 1)));
  }

  /** Clears what clients left in the tables of the load, beside those that live. */
  static LeftoverCounts collectLeftovers(
      CqlSession cql, String keyspace, SkewedEnvironment environment) {
    try (RampClient collector = new Load(cql, keyspace, environment, 0).client(Mode.FAST, false);
        Leftovers leftovers = collector.leftovers(HINTS)) {
      return new LeftoverScan(cql, keyspace, leftovers, 100_000, (table, rows) -> {})
          .run(List.of(LoadKeys.TABLE, LoadKeys.COLLECTIONS), List.of());
    }
  }

  /** What was read from arenas, if anything may be. */
  Optional<ArenaMetrics> arenas() {
    return arenas;
  }

  /** The store of all its clients. */
  VersionStore store() {
    return halting;
  }

  /**
   * A client.
   *
   * @param forgetful whether its sessions have room for few keys
   */
  RampClient client(Mode mode, boolean forgetful) {
    RampOptions options = SHARED.withMode(mode);
    return new RampClient(
        halting, forgetful ? options.withMaxFloors(FEW_FLOORS) : options, environment);
  }
}
