/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.ramp.system.RampSystem;
import io.kasane.bench.ramp.system.TransactionNumbers;
import io.kasane.bench.rdma.client.OneSided;
import io.kasane.bench.rdma.client.StoreSystems;
import io.kasane.bench.rdma.client.Transport;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import io.kasane.node.Ports;
import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.cql.arena.ArenaStore;
import io.kasane.ramp.cql.arena.FirstRounds;
import io.kasane.ramp.cql.arena.RemoteStore;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.TableStore;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.server.RdmaMain;
import io.kasane.rdma.ucx.UcxSupport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One node with arenas, and the process beside it that serves them. Each contestant has a table of
 * its own. For one thread.
 */
final class CassandraServer implements AutoCloseable {
  private static final String KEYSPACE = "rdma";
  private static final String HEAP = "1g";
  private static final String ARENA = "32MiB";
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final LocalCluster cluster;
  private final Process beside;
  private final CqlSession session;
  private final List<FirstRounds> stores = new ArrayList<>();
  private final TransactionNumbers numbers = new TransactionNumbers();
  private final Path arenas;

  private CassandraServer(LocalCluster cluster, Process beside, Path arenas) {
    this.cluster = cluster;
    this.beside = beside;
    this.arenas = arenas;
    this.session = cluster.connect();
    session.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
  }

  /**
   * Starts them.
   *
   * @param directory of the node
   * @param arenas in shared memory
   */
  static CassandraServer start(Path directory, Path arenas) throws IOException {
    String address = "127.0.0.1:" + Ports.freeLoopbackPorts(1).get(0);
    Map<String, String> tables = new LinkedHashMap<>();
    for (Transport transport :
        List.of(
            Transport.SOCKETS,
            Transport.SEND_RECEIVE,
            Transport.GET_STAR_UCX,
            Transport.GET_STAR)) {
      tables.put(KEYSPACE + "." + table(transport), ARENA);
    }
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), directory)
            .isolated()
            .each(
                node ->
                    node.heap(HEAP)
                        .kasaneYaml(
                            "arenas",
                            Map.of(
                                "directory",
                                arenas.toString(),
                                "server",
                                address,
                                "tables",
                                tables)))
            .build()
            .start();
    try {
      return new CassandraServer(cluster, beside(arenas, address), arenas);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static Process beside(Path arenas, String address) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Distribution.javaLauncher().toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-Dkasane.ucx.tls=" + System.getProperty("kasane.ucx.tls", "all"),
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-cp",
                System.getProperty("java.class.path"),
                RdmaMain.class.getName(),
                "--arenas",
                arenas.toString(),
                "--listen",
                address));
    if (UcxSupport.whyNot().isEmpty()) {
      command.add("--memory");
    }
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String table(Transport transport) {
    return "ramp_" + transport.label().replace('-', '_');
  }

  Served open(Contestant contestant) {
    Transport transport = contestant.transport();
    Optional<FirstRounds> over = Optional.empty();
    RampOptions options = StoreSystems.shortWindow(RampOptions.defaults());
    KeyspaceFacts facts = facts();
    Levels levels = Levels.forKeyspace(facts).withFirstRound(ConsistencyLevel.ONE);
    TableStore store =
        new CqlVersionStore(session, facts, levels, CqlStoreOptions.defaults(), options);
    SchemaReader schema = new SchemaReader(session);
    Function<String, CompletionStage<UUID>> ids = table -> schema.tableId(KEYSPACE, table);
    if (transport == Transport.GET_STAR) {
      over = Optional.of(new ArenaStore(store, ids, List.of(arenas), 1, KEYSPACE));
    } else if (transport != Transport.CQL) {
      over =
          Optional.of(new RemoteStore(store, session, ids, KEYSPACE, remote(transport), MAX_WAIT));
    }
    over.ifPresent(stores::add);
    TableStore asked = over.isPresent() ? over.get() : store;
    asked.open(table(transport)).toCompletableFuture().join();
    Optional<ArenaMetrics> metrics = over.map(FirstRounds::metrics);
    return new Served(
        RampSystem.over(asked, table(transport), options, numbers),
        () -> metrics.map(each -> oneSided(transport, each)).orElse(OneSided.NONE),
        () -> Duration.ZERO,
        this::cpu);
  }

  private static RemoteTransport remote(Transport transport) {
    RemoteTransport tcp = RemoteTransport.tcp();
    return switch (transport) {
      case SEND_RECEIVE -> tcp.preferringUcx();
      case GET_STAR_UCX -> tcp.preferringMemory();
      default -> tcp;
    };
  }

  private KeyspaceFacts facts() {
    return new SchemaReader(session)
        .keyspace(KEYSPACE)
        .toCompletableFuture()
        .join()
        .orElseThrow(() -> new NodeException("no keyspace " + KEYSPACE));
  }

  /** Of what is told by messages the node is not asked, but the process beside it is. */
  private static OneSided oneSided(Transport transport, ArenaMetrics metrics) {
    long told = transport == Transport.GET_STAR_UCX ? metrics.hits() - metrics.oneSided() : 0;
    return new OneSided(
        metrics.hits() - told,
        metrics.misses() + metrics.withoutArena() + told,
        metrics.torn() + metrics.corrupt(),
        metrics.silent(),
        metrics.repeated());
  }

  /** Of the node and of what is beside it. */
  private Duration cpu() {
    ProcessHandle node = cluster.node(1).process().orElseThrow();
    return node.info()
        .totalCpuDuration()
        .orElseThrow()
        .plus(beside.info().totalCpuDuration().orElse(Duration.ZERO));
  }

  @Override
  public void close() {
    stores.forEach(FirstRounds::close);
    session.close();
    beside.destroyForcibly();
    beside.onExit().join();
    cluster.kill9();
  }
}
