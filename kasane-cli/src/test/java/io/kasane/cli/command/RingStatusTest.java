/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.cli.command.RingStatus.Range;
import io.kasane.cli.command.RingStatus.Replica;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingStatusTest {
  private static final Replica LSM = new Replica("10.0.0.1", "dc/lsm");
  private static final Replica LMDB = new Replica("10.0.0.2", "dc/lmdb");
  private static final Replica REDIS = new Replica("10.0.0.3", "dc/redis");

  private final RingStatus status = new RingStatus();

  @Test
  void replicasOnRacksAndServersOfTheirOwnAreWell() {
    status.add("shop", List.of(new Range("]1, 2]", List.of(LSM, LMDB, REDIS))));
    assertThat(status.toString())
        .isEqualToIgnoringNewLines(
            "Keyspace shop: in all of 1 ranges each replica is on a rack and a server of its own");
  }

  @Test
  void twoReplicasOfOneKindAreTold() {
    status.add(
        "shop",
        List.of(
            new Range("]1, 2]", List.of(LSM, LMDB, REDIS)),
            new Range("]2, 1]", List.of(LSM, LMDB, new Replica("10.0.0.4", "dc/lsm")))));
    assertThat(status.toString())
        .contains(
            "Keyspace shop: in 1 of 2 ranges two replicas",
            "  ]2, 1] on 10.0.0.1 (dc/lsm), 10.0.0.2 (dc/lmdb), 10.0.0.4 (dc/lsm)")
        .doesNotContain("]1, 2]");
  }

  @Test
  void twoReplicasOnOneServerAreTold() {
    status.add("shop", List.of(new Range("]1, 2]", List.of(LSM, new Replica("10.0.0.1", "dc/x")))));
    assertThat(status.toString()).contains("in 1 of 1 ranges two replicas");
  }

  @Test
  void aFewBadRangesStandForAll() {
    Range bad = new Range("]1, 2]", List.of(LSM, LSM));
    status.add("shop", List.of(bad, bad, bad, bad, bad));
    assertThat(status.toString().lines()).hasSize(4);
  }
}
