/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Rows that heat does not remember are neither hot nor cold where the hot set leaves room. Where
 * they take the place of hot ones they leave the fast disk all the same.
 */
@Tag("node")
@Tag("long")
@ExtendWith(SharedNode.class)
class ForgottenRowsIT {
  private static final String TABLE = "forgotten";
  private static final int ROWS = 9_000;
  private static final int LATE = 1_500;
  private static final long QUOTA_BYTES = 4L << 20;

  private final LocalNode node;
  private final CqlSession session;

  ForgottenRowsIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @Test
  void shouldMakeRoomForWhatIsReadNow() {
    String compaction =
        Tiered.strategy("fast_quota", "4MiB", "heat_capacity", "3000", "heat_period", "1s");
    TieredRows rows = Tiered.rowsOnSlow(node, session, TABLE, compaction, ROWS);
    fillFast(rows);
    readLate(rows);
    rows.requireAll("rows have come to fast and left it");
  }

  /**
   * The hot set, all that heat remembers, takes less than half of the quota, what was read the
   * rest.
   */
  private void fillFast(TieredRows rows) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(6))
        .until(
            () -> {
              rows.read(0, ROWS - LATE);
              return Tiered.viewed(session, TABLE, "fast_bytes") > 0.6 * QUOTA_BYTES;
            });
    assertThat(Tiered.viewed(session, TABLE, "hot_bytes")).isLessThan(QUOTA_BYTES / 2);
  }

  private void readLate(TieredRows rows) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(6))
        .until(
            () -> {
              long before = Tiered.viewed(session, TABLE, "reads_slow");
              rows.read(ROWS - LATE, ROWS);
              return Tiered.viewed(session, TABLE, "reads_slow") - before < LATE / 50;
            });
  }
}
