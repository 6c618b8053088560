/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.EACH_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many replicas answer each kind of request. Immutable; {@link #check} says whether they keep
 * the protocol's promises in a keyspace.
 *
 * @param prepare to store a version unseen
 * @param commit to show it
 * @param markerCheck to read the committed version where it must not be old: beside a put's
 *     prepare, where a first round could not tell, and in the first rounds of a session that saw
 *     more keys than it remembers
 * @param firstRound to read the committed version where it may be old
 * @param secondRound to read a version that is known to be prepared
 * @param all to read a version that the second round missed
 * @param collect to delete versions that nobody needs
 */
public record Levels(
    ConsistencyLevel prepare,
    ConsistencyLevel commit,
    ConsistencyLevel markerCheck,
    ConsistencyLevel firstRound,
    ConsistencyLevel secondRound,
    ConsistencyLevel all,
    ConsistencyLevel collect) {

  /**
   * What to use unless there are reasons for other levels: quorums. With several data centres
   * writes wait for a quorum of each, so that reads need their own data centre only.
   */
  public static Levels forKeyspace(KeyspaceFacts keyspace) {
    return keyspace.hasSeveralDataCentres()
        ? new Levels(
            EACH_QUORUM, EACH_QUORUM, LOCAL_QUORUM, LOCAL_QUORUM, LOCAL_QUORUM, ALL, LOCAL_QUORUM)
        : new Levels(QUORUM, QUORUM, QUORUM, QUORUM, QUORUM, ALL, QUORUM);
  }

  /** The same with other levels for the two writes of a put. */
  public Levels withWrites(ConsistencyLevel prepareLevel, ConsistencyLevel commitLevel) {
    return new Levels(
        prepareLevel, commitLevel, markerCheck, firstRound, secondRound, all, collect);
  }

  /** The same with another level for the check of a put's markers. */
  public Levels withMarkerCheck(ConsistencyLevel level) {
    return new Levels(prepare, commit, level, firstRound, secondRound, all, collect);
  }

  /**
   * The same with another level for first rounds. With a weak one reads cost less, may show what is
   * old (all of it together), and need a second round more often.
   */
  public Levels withFirstRound(ConsistencyLevel level) {
    return new Levels(prepare, commit, markerCheck, level, secondRound, all, collect);
  }

  /** The same with another level for second rounds. */
  public Levels withSecondRound(ConsistencyLevel level) {
    return new Levels(prepare, commit, markerCheck, firstRound, level, all, collect);
  }

  /** The same with another level for garbage collection, which is right at any. */
  public Levels withCollect(ConsistencyLevel level) {
    return new Levels(prepare, commit, markerCheck, firstRound, secondRound, all, level);
  }

  /** The strengths whose reads are as {@link VersionStore#isQuorum} says. */
  Set<Strength> quorums(KeyspaceFacts keyspace) {
    LevelCheck check = new LevelCheck(keyspace);
    Map<Strength, List<ConsistencyLevel>> reads = new EnumMap<>(Strength.class);
    reads.put(Strength.FIRST_ROUND, List.of(firstRound));
    reads.put(Strength.QUORUM, List.of(markerCheck, secondRound));
    reads.put(Strength.ALL, List.of(all));
    reads.values().removeIf(levels -> !levels.stream().allMatch(each -> isQuorum(each, check)));
    return Set.copyOf(reads.keySet());
  }

  /** A replica that was repaired before the answer is one that acknowledged a write. */
  private boolean isQuorum(ConsistencyLevel read, LevelCheck check) {
    return check.meet(commit, read)
        && check.meet(read, markerCheck)
        && check.meet(read, secondRound);
  }

  /**
   * Returns if reads are atomic with these levels in that keyspace.
   *
   * @throws IllegalArgumentException if they are not, with the two levels that do not meet
   */
  public void check(KeyspaceFacts keyspace) {
    LevelCheck check = new LevelCheck(keyspace);
    check.writes("prepare", prepare);
    check.writes("commit", commit);
    check.writes("collect", collect);
    check.reads("markerCheck", markerCheck);
    check.reads("firstRound", firstRound);
    check.reads("secondRound", secondRound);
    if (!all.equals(ALL)) {
      throw new IllegalArgumentException(
          "level all: "
              + all
              + " is not ALL, without which nobody can tell that a version is lost");
    }
    check.meet("prepare", prepare, "secondRound", secondRound, "a version that is prepared");
    check.meet("commit", commit, "secondRound", secondRound, "what a put has shown");
    check.meet("commit", commit, "markerCheck", markerCheck, "what a put has shown");
  }
}
