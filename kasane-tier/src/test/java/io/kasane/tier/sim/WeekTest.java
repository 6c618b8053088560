/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A week of a table of 4 TiB with 200 GiB of fast disk, on a virtual clock: {@code
 * -Dkasane.sim.days=7 -Dkasane.sim.scale=1}. By default an hour of a two-hundredth of it.
 */
class WeekTest {
  private static final long GIB = 1L << 30;
  private static final double DAYS = Double.parseDouble(System.getProperty("kasane.sim.days", "0"));
  private static final int SCALE = Integer.getInteger("kasane.sim.scale", 200);
  private static final int SSTABLES = Integer.getInteger("kasane.sim.sstables", 60);
  private static final double STEP_SECONDS = 5;
  private static final double LINE_HOURS =
      Double.parseDouble(System.getProperty("kasane.sim.line.hours", "1"));

  private static SimLoad load() {
    return new SimLoad(
        200 * GIB / SCALE,
        4096 * GIB / SCALE,
        SSTABLES,
        Math.max(8 << 20, GIB / 2 / SCALE),
        0.99,
        5_000,
        2_000,
        2_000,
        0.2,
        0.05);
  }

  @Test
  void aTableComesToRestAndStaysThere() {
    double hours = DAYS > 0 ? 24 * DAYS : 1;
    SimLoad load = load();
    try (SimTable table = new SimTable(load)) {
      double flushEvery = load.memtableBytes() / SimTable.ROW_BYTES / load.updatesPerSecond();
      double nextFlush = flushEvery;
      double nextLine = TimeUnit.HOURS.toSeconds(1) * LINE_HOURS;
      int day = 0;
      System.out.println(
          "| to hour | SSTables, slow | fast | most | fast filled | reads from fast | to fast |"
              + " to slow | compactions | longest | refused flushes | promoted SSTables, rows |"
              + " a pick, longest | a look, longest |");
      System.out.println("|-|-|-|-|-|-|-|-|-|-|-|-|-|-|");
      for (double at = STEP_SECONDS; at <= hours * 3600; at += STEP_SECONDS) {
        while (nextFlush <= at) {
          table.flush();
          nextFlush += flushEvery;
        }
        table.pass(STEP_SECONDS);
        assertThat(table.bytes(Tier.FAST)).isLessThanOrEqualTo(load.fastBytes());
        if (at >= nextLine) {
          nextLine += TimeUnit.HOURS.toSeconds(1) * LINE_HOURS;
          day++;
          print(table, load, at / 3600);
          assertThat(table.figures.fastShare()).as("day %d", day).isGreaterThan(0.3);
          table.figures.clear();
        }
      }
      assertThat(table.of(Tier.SLOW).size()).isLessThan(SSTABLES + 1_000);
      assertThat(table.of(Tier.FAST).size()).isLessThan(40 * table.shards.count());
    }
  }

  private static void print(SimTable table, SimLoad load, double hour) {
    SimFigures seen = table.figures;
    System.out.printf(
        Locale.ROOT,
        "| %.0f | %,d | %,d | %,d | %.1f %% | %.1f %% | %,d GiB | %,d GiB | %,d %s | %.2f h | %,d |"
            + " %,d, %,.0f | %.2f, %.0f ms | %.3f, %.1f ms |%n",
        hour,
        table.of(Tier.SLOW).size(),
        table.of(Tier.FAST).size(),
        seen.mostSSTables(),
        100.0 * table.bytes(Tier.FAST) / load.fastBytes(),
        100 * seen.fastShare(),
        seen.writtenBytes(Tier.FAST) / GIB,
        seen.writtenBytes(Tier.SLOW) / GIB,
        seen.compactions(),
        seen.compactionsByKind(),
        seen.longestHours(),
        seen.refusedFlushes(),
        seen.promotedSSTables(),
        seen.promotedRows(),
        seen.pickMillis(),
        seen.longestPickMillis(),
        seen.lookMillis(),
        seen.longestLookMillis());
  }
}
