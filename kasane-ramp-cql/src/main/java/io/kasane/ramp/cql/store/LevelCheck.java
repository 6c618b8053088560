/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells whether a write and a read always have a replica in common, whichever data centre each
 * comes from.
 */
final class LevelCheck {
  private static final Set<DefaultConsistencyLevel> READS =
      EnumSet.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.THREE,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.ALL,
          DefaultConsistencyLevel.LOCAL_QUORUM,
          DefaultConsistencyLevel.EACH_QUORUM,
          DefaultConsistencyLevel.LOCAL_ONE);

  private final KeyspaceFacts keyspace;

  LevelCheck(KeyspaceFacts keyspace) {
    this.keyspace = keyspace;
  }

  void reads(String name, ConsistencyLevel level) {
    if (!(level instanceof DefaultConsistencyLevel known) || !READS.contains(known)) {
      throw new IllegalArgumentException(
          "level " + name + ": " + level + " is none of " + READS + "; choose one of them");
    }
  }

  /** ANY is no write here: a hint answers no read. */
  void writes(String name, ConsistencyLevel level) {
    reads(name, level);
  }

  void meet(
      String writeName,
      ConsistencyLevel write,
      String readName,
      ConsistencyLevel read,
      String what) {
    if (!meet(write, read)) {
      throw new IllegalArgumentException(
          "levels "
              + writeName
              + ": "
              + write
              + " and "
              + readName
              + ": "
              + read
              + " may have no replica in common in keyspace "
              + keyspace.name()
              + " with the replicas "
              + keyspace.replicas()
              + ", so that a read may miss "
              + what
              + ". "
              + wayOut());
    }
  }

  private String wayOut() {
    return keyspace.hasSeveralDataCentres()
        ? "Use EACH_QUORUM with LOCAL_QUORUM, QUORUM with QUORUM, or ALL with ONE."
        : "Use QUORUM with QUORUM, or ALL with ONE.";
  }

  boolean meet(ConsistencyLevel write, ConsistencyLevel read) {
    for (Waited one : waited(write)) {
      for (Waited other : waited(read)) {
        if (one.mayMiss(other, keyspace)) {
          return false;
        }
      }
    }
    return true;
  }

  /** What the level may wait for: one answer, or one per data centre it may be local to. */
  private List<Waited> waited(ConsistencyLevel level) {
    int everywhere = keyspace.allReplicas();
    return switch ((DefaultConsistencyLevel) level) {
      case ONE -> List.of(Waited.anywhere(1));
      case TWO -> List.of(Waited.anywhere(2));
      case THREE -> List.of(Waited.anywhere(3));
      case QUORUM -> List.of(Waited.anywhere(everywhere / 2 + 1));
      case ALL -> List.of(Waited.anywhere(everywhere));
      case LOCAL_ONE -> local(false);
      case LOCAL_QUORUM -> local(true);
      case EACH_QUORUM -> {
        Map<String, Integer> each = new TreeMap<>();
        keyspace.replicas().forEach((name, count) -> each.put(name, count / 2 + 1));
        yield List.of(new Waited(0, each));
      }
      default -> throw new IllegalArgumentException("level " + level + " was not checked");
    };
  }

  private List<Waited> local(boolean quorum) {
    List<Waited> choices = new ArrayList<>();
    keyspace
        .replicas()
        .forEach(
            (name, count) -> choices.add(new Waited(0, Map.of(name, quorum ? count / 2 + 1 : 1))));
    return choices;
  }

  /**
   * The replicas that must have answered.
   *
   * @param anywhere how many, wherever they are
   * @param within how many in which data centre
   */
  private record Waited(int anywhere, Map<String, Integer> within) {
    static Waited anywhere(int count) {
      return new Waited(count, Map.of());
    }

    boolean mayMiss(Waited other, KeyspaceFacts keyspace) {
      for (Map.Entry<String, Integer> each : keyspace.replicas().entrySet()) {
        if (here(each.getKey()) + other.here(each.getKey()) > each.getValue()) {
          return false;
        }
      }
      // Apart within each data centre; those that may be anywhere need room beside them all.
      return total() + other.total() <= keyspace.allReplicas();
    }

    private int here(String dataCentre) {
      return within.getOrDefault(dataCentre, 0);
    }

    private int total() {
      return anywhere + within.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
