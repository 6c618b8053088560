/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.cql.store.KnownGenerations.Moment;
import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownGenerationsTest {
  private static final CollectionKey LINES = new CollectionKey("lines", Bytes.utf8("order 7"));
  private static final Moment EARLIER = new Moment(1, 1);
  private static final Moment LATER = new Moment(2, 2);

  private final KnownGenerations known = new KnownGenerations();

  private static Generations at(int stage) {
    return new Generations(stage, Timestamp.NONE);
  }

  @Test
  void whatFewReplicasSayMayBeNewerButIsNotBelievedIfItIsOlder() {
    known.saw(LINES, at(3), EARLIER, true);
    known.saw(LINES, at(1), LATER, false);
    assertThat(known.of(LINES)).isEqualTo(at(3));
    known.saw(LINES, at(4), LATER, false);
    assertThat(known.of(LINES)).isEqualTo(at(4));
  }

  /** Commits go by what a quorum said lately. */
  @Test
  void whatFewReplicasSayDoesNotCountAsAQuorums() {
    known.saw(LINES, at(1), EARLIER, false);
    assertThat(known.byQuorum(LINES)).isEmpty();
    known.saw(LINES, at(1), EARLIER, true);
    known.saw(LINES, at(2), LATER, false);
    assertThat(known.byQuorum(LINES).orElseThrow().asked()).isEqualTo(Optional.of(EARLIER));
  }

  @Test
  void ofTwoQuorumsTheOneThatWasAskedLastCounts() {
    known.saw(LINES, at(2), LATER, true);
    known.saw(LINES, at(1), EARLIER, true);
    assertThat(known.of(LINES)).isEqualTo(at(2));
    assertThat(known.byQuorum(LINES).orElseThrow().asked()).isEqualTo(Optional.of(LATER));
  }
}
