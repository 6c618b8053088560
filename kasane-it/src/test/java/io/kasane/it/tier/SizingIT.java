/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.heat.sim.Trace;
import io.kasane.node.LocalNode;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the node foretells of another quota is what it serves with that quota. */
@Tag("node")
@ExtendWith(SharedNode.class)
class SizingIT {
  private static final String TABLE = "sized";
  private static final int ROWS = 5_000;
  private static final long SEED = 7;
  private static final int LEARNED_READS = 12_500;
  private static final int JUDGED_READS = 4_000;
  private static final long SMALL_QUOTA_BYTES = 200 << 10;
  private static final long QUOTA_BYTES = 768 << 10;

  private final LocalNode node;
  private final CqlSession session;

  SizingIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @Test
  void shouldForetellWhatALargerQuotaServes() {
    TieredRows rows = Tiered.rowsOnSlow(node, session, TABLE, compaction(SMALL_QUOTA_BYTES), ROWS);
    Trace reads = Trace.zipf(ROWS, 0.99, LEARNED_READS + JUDGED_READS, SEED);
    read(rows, reads, 0, LEARNED_READS);

    Sizing nearest =
        views().sizing().stream()
            .filter(size -> size.fastQuotaBytes() <= QUOTA_BYTES)
            .reduce((smaller, larger) -> larger)
            .orElseThrow();
    session.execute(
        "ALTER TABLE k.sized WITH compaction = " + compaction(nearest.fastQuotaBytes()));
    Tiered.compact(node, TABLE); // rows move at once, not as they are read
    TableView before = views().requireTable();
    read(rows, reads, LEARNED_READS, JUDGED_READS);
    assertThat(views().requireTable().fastShareSince(before))
        .as("share served with %s, seed %d", nearest, SEED)
        .isCloseTo(nearest.readShare(), within(0.08));
  }

  private static String compaction(long quotaBytes) {
    return Tiered.strategy("heat_period", "1s", "fast_quota", quotaBytes + "B");
  }

  private void read(TieredRows rows, Trace reads, int from, int count) {
    for (int i = from; i < from + count; i++) {
      int id = reads.keyAt(i);
      rows.read(id, id + 1);
    }
  }

  private KasaneViews views() {
    return new KasaneViews(
        session, node.settings().address(), node.settings().nativePort(), Tiered.KEYSPACE, TABLE);
  }
}
