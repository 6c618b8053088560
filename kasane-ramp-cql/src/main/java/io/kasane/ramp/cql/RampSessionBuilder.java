/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.arena.ArenaStore;
import io.kasane.ramp.cql.arena.RemoteStore;
import io.kasane.ramp.cql.schema.CassandraLines;
import io.kasane.ramp.cql.schema.KeyspaceCheck;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.cql.store.Contracts;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.ClockDriftException;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.TokenKey;
import io.kasane.ramp.store.TableStore;
import io.kasane.rdma.client.RemoteTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Collects what a {@link RampSession} is made of. For one thread. */
public final class RampSessionBuilder {
  private final CqlSession session;
  private final String keyspace;
  private RampOptions options = RampOptions.defaults();
  private CqlStoreOptions storeOptions = CqlStoreOptions.defaults();
  private UnaryOperator<Levels> levels = UnaryOperator.identity();
  private Optional<TokenKey> tokenKey = Optional.empty();
  private Optional<String> likeTable = Optional.empty();
  private boolean untestedCassandra;
  private List<Path> arenas = List.of();
  private int neededArenas;
  private Optional<Duration> remoteArenas = Optional.empty();
  private RemoteTransport remoteTransport = RemoteTransport.tcp();
  private Duration clockSkew = Duration.ZERO;

  RampSessionBuilder(CqlSession session, String keyspace) {
    this.session = Objects.requireNonNull(session);
    this.keyspace = Objects.requireNonNull(keyspace);
  }

  /** Sets the protocol's options. */
  public RampSessionBuilder options(RampOptions changed) {
    this.options = changed;
    return this;
  }

  /** Sets how the driver's session is used. */
  public RampSessionBuilder store(CqlStoreOptions changed) {
    this.storeOptions = changed;
    return this;
  }

  /** Changes the consistency levels, from those that suit the keyspace. */
  public RampSessionBuilder levels(UnaryOperator<Levels> change) {
    this.levels = change;
    return this;
  }

  /**
   * Takes from a table what all its clients must share, whatever else was given: window, grace,
   * drift, mode, and the levels that must meet.
   */
  public RampSessionBuilder asTable(String table) {
    this.likeTable = Optional.of(table);
    return this;
  }

  /** Signs session tokens, and takes none that are not signed: the same key on all servers. */
  public RampSessionBuilder tokenKey(TokenKey key) {
    this.tokenKey = Optional.of(key);
    return this;
  }

  /**
   * Answers first rounds from the shared memory of a node on this host, and by CQL wherever that
   * has no answer. What it shows is what that node alone would show: all of a transaction or
   * nothing, and what this session has seen or written, but maybe not the latest.
   *
   * @param directory what {@code arenas.directory} of the node's {@code kasane.yaml} is
   */
  public RampSessionBuilder arenas(Path directory) {
    return arenas(List.of(directory), 1);
  }

  /**
   * The same where several nodes run on this host. A key is answered when so many of them have it
   * in memory, with the newest version that these have: a majority of its replicas shows what was
   * acknowledged at a quorum.
   *
   * @param directories {@code arenas.directory} of each node
   * @param needed from 1 to all of them
   */
  public RampSessionBuilder arenas(List<Path> directories, int needed) {
    this.arenas = List.copyOf(directories);
    this.neededArenas = needed;
    return this;
  }

  /**
   * Answers first rounds from the memory of nodes on other hosts, where a process beside them
   * serves it, and by CQL wherever that has no answer. What a key shows is what one of its replicas
   * alone would show.
   *
   * @param maxWait of an answer, such as 20 ms
   */
  public RampSessionBuilder remoteArenas(Duration maxWait) {
    this.remoteArenas = Optional.of(maxWait);
    return this;
  }

  /**
   * The same over TLS, or by OpenUCX.
   *
   * @param transport such as {@code RemoteTransport.tcp().withTls(context)}
   */
  public RampSessionBuilder remoteArenas(Duration maxWait, RemoteTransport transport) {
    this.remoteTransport = transport;
    return remoteArenas(maxWait);
  }

  /** For tests: a clock that is so far ahead of the machine's. */
  RampSessionBuilder clockSkew(Duration ahead) {
    this.clockSkew = ahead;
    return this;
  }

  /** Runs on releases of Cassandra that the library's tests did not run on. */
  public RampSessionBuilder allowUntestedCassandra() {
    this.untestedCassandra = true;
    return this;
  }

  /**
   * Opens the session; waits for Cassandra.
   *
   * @throws RefusedSchemaException if the cluster or the keyspace does not suit transactions
   * @throws IllegalArgumentException if the levels do not, or the driver's retry policy
   * @throws ClockDriftException if this machine's clock is far from the nodes'; it is compared once
   *     a minute, and puts fail with it where it has gone wrong since
   */
  public RampSession build() {
    if (!untestedCassandra) {
      CassandraLines.check(session);
    }
    KeyspaceFacts facts =
        Waiting.get("build", new SchemaReader(session).keyspace(keyspace))
            .orElseThrow(
                () ->
                    new RefusedSchemaException(
                        "Keyspace "
                            + keyspace
                            + " does not exist. Create it with CREATE KEYSPACE and"
                            + " NetworkTopologyStrategy."));
    Set<String> dataCentres =
        session.getMetadata().getNodes().values().stream()
            .map(node -> Objects.requireNonNullElse(node.getDatacenter(), ""))
            .collect(Collectors.toSet());
    KeyspaceCheck.check(facts, dataCentres);
    Levels chosenLevels = levels.apply(Levels.forKeyspace(facts));
    RampOptions chosen = options;
    if (likeTable.isPresent()) {
      TableContract contract = contract(likeTable.get());
      chosenLevels = Contracts.levels(contract, chosenLevels);
      chosen = Contracts.options(contract, chosen);
    }
    CqlVersionStore cql = new CqlVersionStore(session, facts, chosenLevels, storeOptions, chosen);
    Optional<RemoteStore> remote = remoteArenas.map(maxWait -> elsewhere(cql, maxWait));
    TableStore asked = remote.isPresent() ? remote.get() : cql;
    Optional<ArenaStore> shared = arenas.isEmpty() ? Optional.empty() : Optional.of(over(asked));
    TableStore store = shared.isPresent() ? shared.get() : asked;
    Runnable closeArenas =
        () -> {
          shared.ifPresent(ArenaStore::close);
          remote.ifPresent(RemoteStore::close);
        };
    SystemEnvironment environment = new SystemEnvironment(keyspace, clockSkew);
    RampClient client = new RampClient(store, chosen, environment);
    ClockCheck clock =
        new ClockCheck(session, environment, ahead -> ahead.ifPresent(client::clockIsAhead));
    Waiting.get("build", clock.ask());
    try {
      client.requireRightClock();
    } catch (ClockDriftException e) {
      RampSession.close(client, environment);
      closeArenas.run();
      throw e;
    }
    clock.begin();
    return new RampSession(
        store,
        client,
        client.newSession(),
        tokenKey,
        new RampMetrics(
            client.statistics(), shared.map(ArenaStore::metrics), remote.map(RemoteStore::metrics)),
        () -> {
          RampSession.close(client, environment);
          closeArenas.run();
        });
  }

  private RemoteStore elsewhere(TableStore cql, Duration maxWait) {
    SchemaReader schema = new SchemaReader(session);
    return new RemoteStore(
        cql, session, table -> schema.tableId(keyspace, table), keyspace, remoteTransport, maxWait);
  }

  private ArenaStore over(TableStore asked) {
    SchemaReader schema = new SchemaReader(session);
    return new ArenaStore(
        asked, table -> schema.tableId(keyspace, table), arenas, neededArenas, keyspace);
  }

  private TableContract contract(String table) {
    return Waiting.get("build", new SchemaReader(session).table(keyspace, table))
        .flatMap(found -> TableContract.in(found.comment()))
        .orElseThrow(
            () ->
                new RefusedSchemaException(
                    "Table "
                        + keyspace
                        + "."
                        + table
                        + " does not exist, or its comment does not say what its clients must"
                        + " share; open the session without asTable"));
  }
}
