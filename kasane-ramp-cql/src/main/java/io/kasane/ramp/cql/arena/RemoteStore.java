/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import io.kasane.rdma.client.Admission;
import io.kasane.rdma.client.RemoteArena;
import io.kasane.rdma.client.RemoteTransport;
import io.kasane.rdma.wire.Frames;
import io.kasane.rdma.wire.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A store whose first rounds are answered by the processes beside nodes on other hosts, each key by
 * that of one of its replicas, as that node alone would answer it. Thread-safe.
 */
public final class RemoteStore extends FirstRounds {
  private final CqlSession session;
  private final String keyspace;
  private final RemoteTransport transport;
  private final Duration maxWait;
  private final Set<String> tables = ConcurrentHashMap.newKeySet();
  private final Map<Place, RemoteArena> arenas = new ConcurrentHashMap<>();

  /** A table at a node. */
  private record Place(String table, UUID hostId) {}

  /**
   * A store over another one.
   *
   * @param session asks nodes who serves their arenas, and knows which of them are replicas
   * @param tableIds tells which table of a name there is now
   * @param transport how the processes beside nodes are asked
   * @param maxWait of an answer: then the keys are read by CQL
   */
  public RemoteStore(
      TableStore beneath,
      CqlSession session,
      Function<String, CompletionStage<UUID>> tableIds,
      String keyspace,
      RemoteTransport transport,
      Duration maxWait) {
    super(beneath, tableIds);
    this.session = session;
    this.keyspace = keyspace;
    this.transport = transport;
    this.maxWait = maxWait;
  }

  /** Connects, so that the first reads find a connection. */
  @Override
  void watch(String table, UUID id) {
    tables.add(table);
    nodes().forEach(node -> arenaAt(table, node));
  }

  private Collection<Node> nodes() {
    return session.getMetadata().getNodes().values();
  }

  private RemoteArena arenaAt(String table, Node node) {
    return arenas.computeIfAbsent(
        new Place(table, node.getHostId()),
        place ->
            new RemoteArena(
                keyspace + "." + table + " of " + node,
                () -> admission(table, node),
                transport,
                maxWait,
                metrics().oneSided));
  }

  /** With a token for memory, or without if it may not be had. */
  private CompletionStage<Admission> admission(String table, Node node) {
    CompletionStage<Admission> wanted =
        transport.preferred() == Service.MEMORY
            ? admission("kasane_arena_memory", table, node)
            : CompletableFuture.failedStage(new IllegalStateException("not wanted"));
    return wanted
        .handle(
            (admission, failure) ->
                failure == null
                    ? CompletableFuture.completedStage(admission)
                    : admission("kasane_arenas", table, node))
        .thenCompose(admission -> admission);
  }

  /** Whoever may SELECT from that virtual table is admitted. */
  private CompletionStage<Admission> admission(String in, String table, Node node) {
    String query =
        "SELECT host, port, admission, expires FROM " + in + ".\"" + keyspace + "_" + table + "\"";
    return session
        .executeAsync(SimpleStatement.newInstance(query).setNode(node))
        .thenApply(
            rows -> {
              Row row = rows.one();
              if (row == null) {
                throw new IllegalStateException("the node serves no arena of it");
              }
              return new Admission(
                  row.getString("host"),
                  row.getInt("port"),
                  row.getString("admission"),
                  row.getInstant("expires"));
            });
  }

  /** That of a replica that is connected. */
  private Optional<RemoteArena> arenaOf(ItemKey key) {
    if (!tables.contains(key.table())) {
      return Optional.empty();
    }
    return session
        .getMetadata()
        .getTokenMap()
        .map(map -> (Collection<Node>) map.getReplicas(keyspace, key.partition().toBuffer()))
        .orElseGet(this::nodes)
        .stream()
        .filter(node -> node.getState() != NodeState.DOWN && node.getHostId() != null)
        .map(node -> arenaAt(key.table(), node))
        .filter(RemoteArena::isConnected)
        .findFirst();
  }

  @Override
  CompletionStage<Answer[]> shown(List<ItemKey> keys) {
    Answer[] answers = new Answer[keys.size()];
    Map<RemoteArena, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      if (isInArenas(keys.get(i))) {
        int place = i;
        arenaOf(keys.get(i))
            .ifPresentOrElse(
                arena -> places.computeIfAbsent(arena, any -> new ArrayList<>()).add(place),
                metrics().withoutArena::increment);
      }
    }
    List<CompletableFuture<?>> asked = new ArrayList<>();
    places.forEach((arena, some) -> asked.add(ask(arena, keys, some, answers)));
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(nothing -> answers);
  }

  private CompletableFuture<Void> ask(
      RemoteArena arena, List<ItemKey> keys, List<Integer> places, Answer[] answers) {
    List<Integer> some = places.subList(0, Math.min(places.size(), Frames.MAX_KEYS));
    List<ArenaKey> wanted =
        some.stream()
            .map(keys::get)
            .map(key -> ArenaKey.of(key.partition().toBuffer(), key.item().toBuffer()))
            .toList();
    return arena
        .get(wanted)
        .thenAccept(
            found -> {
              for (int i = 0; i < some.size(); i++) {
                answers[some.get(i)] = taken(keys.get(some.get(i)), found.get(i));
              }
            })
        .toCompletableFuture();
  }

  private Answer taken(ItemKey key, ArenaReader.Answer answer) {
    if (answer.outcome() != ArenaReader.Outcome.HIT) {
      causeOf(answer.outcome()).increment();
      return null;
    }
    Optional<Version> version = decoded(answer);
    if (version.isEmpty()) {
      metrics().corrupt.increment();
      return null;
    }
    return hit(key, version.get());
  }

  @Override
  public void close() {
    arenas.values().forEach(RemoteArena::close);
    arenas.clear();
  }
}
