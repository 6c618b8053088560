/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ALL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ANY;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.EACH_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.ONE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.QUORUM;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.SERIAL;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.THREE;
import static com.datastax.oss.driver.api.core.DefaultConsistencyLevel.TWO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.store.Strength;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LevelsTest {
  private static final KeyspaceFacts ONE_CENTRE = keyspace(Map.of("dc1", 3));
  private static final KeyspaceFacts TWO_CENTRES = keyspace(Map.of("dc1", 3, "dc2", 3));

  private static KeyspaceFacts keyspace(Map<String, Integer> replicas) {
    return new KeyspaceFacts("shop", "NetworkTopologyStrategy", replicas, false, true);
  }

  private static Levels with(
      KeyspaceFacts keyspace, DefaultConsistencyLevel write, DefaultConsistencyLevel read) {
    return Levels.forKeyspace(keyspace)
        .withWrites(write, write)
        .withMarkerCheck(read)
        .withSecondRound(read);
  }

  @Test
  void whatAQuorumShowsStaysWhereAllLaterQuorumsMeetIt() {
    assertThat(Levels.forKeyspace(ONE_CENTRE).quorums(ONE_CENTRE))
        .containsExactlyInAnyOrder(Strength.values());
    assertThat(Levels.forKeyspace(ONE_CENTRE).withFirstRound(ONE).quorums(ONE_CENTRE))
        .containsExactlyInAnyOrder(Strength.QUORUM, Strength.ALL);
    assertThat(with(ONE_CENTRE, ONE, ALL).withFirstRound(ONE).quorums(ONE_CENTRE))
        .containsExactlyInAnyOrder(Strength.QUORUM, Strength.ALL);
    assertThat(with(ONE_CENTRE, ALL, ONE).quorums(ONE_CENTRE)).containsExactly(Strength.ALL);
    assertThat(Levels.forKeyspace(TWO_CENTRES).quorums(TWO_CENTRES)).containsExactly(Strength.ALL);
    assertThat(with(TWO_CENTRES, QUORUM, QUORUM).quorums(TWO_CENTRES))
        .containsExactlyInAnyOrder(Strength.QUORUM, Strength.ALL);
  }

  @Test
  void defaultsFitTheirKeyspace() {
    for (int replicas = 1; replicas <= 7; replicas++) {
      for (int others = 0; others <= 5; others++) {
        KeyspaceFacts keyspace =
            others == 0
                ? keyspace(Map.of("", replicas))
                : keyspace(Map.of("a", replicas, "b", others, "c", 1));
        assertThatCode(() -> Levels.forKeyspace(keyspace).check(keyspace))
            .as(keyspace.toString())
            .doesNotThrowAnyException();
      }
    }
    assertThat(Levels.forKeyspace(TWO_CENTRES).prepare()).isEqualTo(EACH_QUORUM);
    assertThat(Levels.forKeyspace(TWO_CENTRES).secondRound()).isEqualTo(LOCAL_QUORUM);
    assertThat(Levels.forKeyspace(TWO_CENTRES).markerCheck()).isEqualTo(LOCAL_QUORUM);
    assertThat(Levels.forKeyspace(ONE_CENTRE).prepare()).isEqualTo(QUORUM);
  }

  @Test
  void pairsThatMeetAreTaken() {
    accepted(ONE_CENTRE, QUORUM, QUORUM);
    accepted(ONE_CENTRE, ALL, ONE);
    accepted(ONE_CENTRE, LOCAL_QUORUM, LOCAL_QUORUM);
    accepted(ONE_CENTRE, TWO, TWO);
    accepted(ONE_CENTRE, THREE, LOCAL_ONE);
    accepted(TWO_CENTRES, EACH_QUORUM, LOCAL_QUORUM);
    accepted(TWO_CENTRES, LOCAL_QUORUM, EACH_QUORUM);
    accepted(TWO_CENTRES, QUORUM, QUORUM);
    accepted(TWO_CENTRES, EACH_QUORUM, EACH_QUORUM);
    accepted(TWO_CENTRES, EACH_QUORUM, QUORUM);
    accepted(TWO_CENTRES, ALL, LOCAL_ONE);
  }

  private static void accepted(
      KeyspaceFacts keyspace, DefaultConsistencyLevel write, DefaultConsistencyLevel read) {
    assertThatCode(() -> with(keyspace, write, read).check(keyspace))
        .as("%s and %s", write, read)
        .doesNotThrowAnyException();
  }

  @Test
  void pairsThatMayMissAreRefusedWithTheReason() {
    refused(ONE_CENTRE, QUORUM, ONE);
    refused(ONE_CENTRE, ONE, QUORUM);
    refused(ONE_CENTRE, TWO, LOCAL_ONE);
    refused(TWO_CENTRES, QUORUM, LOCAL_QUORUM);
    refused(TWO_CENTRES, LOCAL_QUORUM, QUORUM);
    refused(TWO_CENTRES, EACH_QUORUM, LOCAL_ONE);
    refused(TWO_CENTRES, THREE, THREE);
    assertThatThrownBy(() -> with(TWO_CENTRES, LOCAL_QUORUM, LOCAL_QUORUM).check(TWO_CENTRES))
        .hasMessageContaining("prepare: LOCAL_QUORUM")
        .hasMessageContaining("secondRound: LOCAL_QUORUM")
        .hasMessageContaining("{dc1=3, dc2=3}")
        .hasMessageContaining("EACH_QUORUM with LOCAL_QUORUM");
  }

  private static void refused(
      KeyspaceFacts keyspace, DefaultConsistencyLevel write, DefaultConsistencyLevel read) {
    assertThatThrownBy(() -> with(keyspace, write, read).check(keyspace))
        .as("%s and %s", write, read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prepare: " + write)
        .hasMessageContaining("secondRound: " + read)
        .hasMessageContaining("Use ");
  }

  /** Against the definition: no set that answers the write is apart from one that answers reads. */
  @Test
  void judgesAsAllSetsOfReplicasDo() {
    List<DefaultConsistencyLevel> levels =
        List.of(ONE, TWO, THREE, QUORUM, ALL, LOCAL_ONE, LOCAL_QUORUM, EACH_QUORUM);
    for (Map<String, Integer> replicas :
        List.of(
            Map.of("a", 3),
            Map.of("a", 4),
            Map.of("a", 1),
            Map.of("a", 2, "b", 2),
            Map.of("a", 3, "b", 2),
            Map.of("a", 1, "b", 3),
            Map.of("a", 2, "b", 1, "c", 1))) {
      KeyspaceFacts keyspace = keyspace(replicas);
      for (DefaultConsistencyLevel write : levels) {
        for (DefaultConsistencyLevel read : levels) {
          if (fewer(keyspace, write) || fewer(keyspace, read)) {
            continue;
          }
          boolean taken = isTaken(with(keyspace, write, read), keyspace);
          assertThat(taken)
              .as("%s and %s with %s", write, read, replicas)
              .isEqualTo(alwaysMeet(keyspace, write, read));
        }
      }
    }
  }

  private static boolean fewer(KeyspaceFacts keyspace, DefaultConsistencyLevel level) {
    return keyspace.allReplicas() < (level == THREE ? 3 : level == TWO ? 2 : 1);
  }

  private static boolean isTaken(Levels levels, KeyspaceFacts keyspace) {
    try {
      levels.check(keyspace);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean alwaysMeet(
      KeyspaceFacts keyspace, DefaultConsistencyLevel write, DefaultConsistencyLevel read) {
    List<String> centres = new ArrayList<>();
    keyspace
        .replicas()
        .forEach(
            (name, count) -> {
              for (int i = 0; i < count; i++) {
                centres.add(name);
              }
            });
    int all = (1 << centres.size()) - 1;
    for (int wrote = 0; wrote <= all; wrote++) {
      // The most that a read apart from it could ask is everybody else.
      if (answers(keyspace, centres, wrote, write)
          && answers(keyspace, centres, all & ~wrote, read)) {
        return false;
      }
    }
    return true;
  }

  private static boolean answers(
      KeyspaceFacts keyspace, List<String> centres, int set, DefaultConsistencyLevel level) {
    int everywhere = Integer.bitCount(set);
    return switch (level) {
      case ONE -> everywhere >= 1;
      case TWO -> everywhere >= 2;
      case THREE -> everywhere >= 3;
      case QUORUM -> everywhere >= keyspace.allReplicas() / 2 + 1;
      case ALL -> everywhere == keyspace.allReplicas();
      case LOCAL_ONE -> everywhere >= 1;
      case LOCAL_QUORUM ->
          keyspace.replicas().entrySet().stream()
              .anyMatch(each -> within(centres, set, each.getKey()) >= each.getValue() / 2 + 1);
      case EACH_QUORUM ->
          keyspace.replicas().entrySet().stream()
              .allMatch(each -> within(centres, set, each.getKey()) >= each.getValue() / 2 + 1);
      default -> throw new AssertionError(level);
    };
  }

  private static int within(List<String> centres, int set, String name) {
    int count = 0;
    for (int i = 0; i < centres.size(); i++) {
      count += (set >> i & 1) == 1 && centres.get(i).equals(name) ? 1 : 0;
    }
    return count;
  }

  @Test
  void levelsThatAreNoneOfPlainReadsAndWritesAreRefused() {
    Levels defaults = Levels.forKeyspace(ONE_CENTRE);
    assertThatThrownBy(() -> defaults.withWrites(ANY, QUORUM).check(ONE_CENTRE))
        .hasMessageContaining("prepare: ANY");
    assertThatThrownBy(() -> defaults.withFirstRound(SERIAL).check(ONE_CENTRE))
        .hasMessageContaining("firstRound: SERIAL");
    Levels notAll = new Levels(QUORUM, QUORUM, QUORUM, ONE, QUORUM, QUORUM, ONE);
    assertThatThrownBy(() -> notAll.check(ONE_CENTRE)).hasMessageContaining("all: QUORUM");
    assertThatCode(() -> defaults.withFirstRound(ONE).withCollect(ONE).check(ONE_CENTRE))
        .doesNotThrowAnyException();
  }
}
