/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.kasane.ramp.protocol.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Asks nodes what time it is. The median of what they say counts, so that one wrong node among
 * three makes no difference; an answer that took long says little, and the doubt is in this clock's
 * favour. Thread-safe.
 */
final class ClockCheck {
  private static final int MAX_NODES = 5;
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final String NOW = "SELECT toUnixTimestamp(now()) FROM system.local";

  private final CqlSession session;
  private final Environment environment;
  private final Consumer<Optional<Duration>> found;

  /**
   * Checks the clock of an environment.
   *
   * @param found told how far that clock is ahead of the nodes', at least; negative for behind,
   *     empty where no node answered
   */
  ClockCheck(CqlSession session, Environment environment, Consumer<Optional<Duration>> found) {
    this.session = session;
    this.environment = environment;
    this.found = found;
  }

  /** Asks now, and tells what it found. */
  CompletionStage<Optional<Duration>> ask() {
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    nodes().forEach(node -> answers.add(askNode(node)));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<Long> aheadMillis =
                  answers.stream()
                      .map(answer -> answer.getNow(null))
                      .filter(Objects::nonNull)
                      .sorted()
                      .toList();
              Optional<Duration> ahead =
                  aheadMillis.isEmpty()
                      ? Optional.empty()
                      : Optional.of(Duration.ofMillis(aheadMillis.get(aheadMillis.size() / 2)));
              found.accept(ahead);
              return ahead;
            });
  }

  /** Asks from now on, once a minute, whatever becomes of it. */
  void begin() {
    environment.after(
        PERIOD,
        () -> {
          try {
            ask().whenComplete((ahead, failure) -> begin());
          } catch (RuntimeException e) {
            begin();
            throw e;
          }
        });
  }

  private Stream<Node> nodes() {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getState() != NodeState.DOWN)
        .limit(MAX_NODES);
  }

  /** How far this clock is ahead of the node's, null where it did not say. */
  private CompletableFuture<Long> askNode(Node node) {
    long sentNanos = environment.monotonicNanos();
    return session
        .executeAsync(
            SimpleStatement.newInstance(NOW)
                .setNode(node)
                .setConsistencyLevel(ConsistencyLevel.ONE)
                .setIdempotent(true))
        .thenApply(
            rows -> {
              long tookMillis = (environment.monotonicNanos() - sentNanos) / 1_000_000;
              long here = environment.wallMicros() / 1000 - tookMillis / 2;
              return within(here - rows.one().getLong(0), tookMillis / 2 + 1);
            })
        .exceptionally(failure -> null)
        .toCompletableFuture();
  }

  private static long within(long aheadMillis, long doubtMillis) {
    return Long.signum(aheadMillis) * Math.max(0, Math.abs(aheadMillis) - doubtMillis);
  }
}
