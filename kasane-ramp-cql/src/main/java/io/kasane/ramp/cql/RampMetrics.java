/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.cql.arena.ArenaMetrics;
import io.kasane.ramp.protocol.RampStatistics;
import java.util.Optional;

/** What all sessions of a process did in one keyspace since it was opened. Thread-safe. */
public final class RampMetrics {
  private final RampStatistics statistics;
  private final Optional<ArenaMetrics> arenas;
  private final Optional<ArenaMetrics> remoteArenas;

  RampMetrics(
      RampStatistics statistics,
      Optional<ArenaMetrics> arenas,
      Optional<ArenaMetrics> remoteArenas) {
    this.statistics = statistics;
    this.arenas = arenas;
    this.remoteArenas = remoteArenas;
  }

  /** How first rounds were answered from shared memory; empty without {@code arenas}. */
  public Optional<ArenaMetrics> arenas() {
    return arenas;
  }

  /** The same from memory of other hosts; empty without {@code remoteArenas}. */
  public Optional<ArenaMetrics> remoteArenas() {
    return remoteArenas;
  }

  /** How many gets there were. */
  public long gets() {
    return statistics.gets();
  }

  /** How many times those gets asked Cassandra, one after the other. */
  public long rounds() {
    return statistics.rounds();
  }

  /** How many gets needed more than one round, from 0 to 1. */
  public double secondRoundShare() {
    long gets = statistics.gets();
    return gets == 0 ? 0 : (double) statistics.secondRounds() / gets;
  }

  /** How many times a get had to check its keys again. */
  public long loops() {
    return statistics.loops();
  }

  /** How many keys were looked for at all replicas. */
  public long readsAtAll() {
    return statistics.readsAtAll();
  }

  /** How many times a key was looked for that its sibling's transaction had not written. */
  public long falsePositives() {
    return statistics.falsePositives();
  }

  /** How many puts there were. */
  public long puts() {
    return statistics.puts();
  }

  /** How many puts were prepared again, above something newer. */
  public long reprepared() {
    return statistics.reprepared();
  }

  /** How many commits were sent in the place of a writer that had not sent them yet. */
  public long completions() {
    return statistics.completions();
  }

  /** How many versions were prepared again because too few replicas had them. */
  public long repairs() {
    return statistics.repairs();
  }

  /** How many read transactions were run again. */
  public long restarts() {
    return statistics.restarts();
  }

  /** How many times old versions of a key were deleted. */
  public long collected() {
    return statistics.collected();
  }

  /** How many times that failed; it is tried again. */
  public long collectionsFailed() {
    return statistics.collectionsFailed();
  }

  /** How many were given up because too many waited: the next write of the key does them. */
  public long collectionsDropped() {
    return statistics.collectionsDropped();
  }

  /** How many versions that this process committed still wait to be deleted. */
  public long versionsKept() {
    return statistics.versionsKept();
  }

  /**
   * How many times a session remembered more keys than {@code maxFloors}, and committed what it had
   * seen of one so that it could forget it: a session that lives long is used for many users.
   */
  public long floorsSettled() {
    return statistics.floorsSettled();
  }

  /** How many deleted keys were forgotten. */
  public long purged() {
    return statistics.purged();
  }

  /** How many times deleted items were taken out of the way of those who read a collection. */
  public long sweeps() {
    return statistics.sweeps();
  }

  /** How many deleted keys were not planned to be forgotten, since too many waited. */
  public long purgesDropped() {
    return statistics.purgesDropped();
  }
}
