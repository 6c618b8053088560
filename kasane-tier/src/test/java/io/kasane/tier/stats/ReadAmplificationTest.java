/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.copies.sstables.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ReadAmplificationTest {
  private static ReadStats.PerSSTable sstable(long bytes) {
    return new ReadStats.PerSSTable(Tier.SLOW, bytes);
  }

  @Test
  void aLookUpIsWastedIfALargerSSTableCouldHaveAnswered() {
    ReadStats.PerSSTable small = sstable(1);
    ReadStats.PerSSTable large = sstable(100);
    ReadAmplification alone = new ReadAmplification();
    alone.add(large, true);
    assertThat(large.wastedLookUps.sum()).isZero();
    ReadAmplification both = new ReadAmplification();
    both.add(large, true);
    both.add(small, true);
    assertThat(large.wastedLookUps.sum()).isEqualTo(1);
    assertThat(small.wastedLookUps.sum()).isZero();
  }

  @Test
  void whatMemoryAnswersCostsNothing() {
    ReadStats.PerSSTable small = sstable(1);
    ReadStats.PerSSTable large = sstable(100);
    ReadAmplification read = new ReadAmplification();
    read.add(small, false);
    read.add(large, true);
    assertThat(large.wastedLookUps.sum()).isZero();
  }

  /** In whatever order a read looks into its SSTables. */
  @Property(tries = 300)
  void theSumOverTheSmallestIsWhatMergingTheseWouldHaveSaved(@ForAll Random random) {
    List<ReadStats.PerSSTable> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(sstable(1L << i));
    }
    long[] saved = new long[all.size()];
    for (int read = 0; read < 20; read++) {
      List<ReadStats.PerSSTable> looked =
          new ArrayList<>(all.stream().filter(sstable -> random.nextInt(3) == 0).toList());
      Set<ReadStats.PerSSTable> waited =
          looked.stream().filter(sstable -> random.nextBoolean()).collect(Collectors.toSet());
      countSaved(all, looked, waited, saved);
      Collections.shuffle(looked, random);
      ReadAmplification lookUps = new ReadAmplification();
      looked.forEach(sstable -> lookUps.add(sstable, waited.contains(sstable)));
    }
    long wasted = 0;
    for (int m = 0; m < all.size(); m++) {
      wasted += all.get(m).wastedLookUps.sum();
      assertThat(wasted).as("merging %s of %s", m + 1, all.size()).isEqualTo(saved[m]);
    }
  }

  /** One look-up of the merged SSTable would remain, be it that in the largest. */
  private static void countSaved(
      List<ReadStats.PerSSTable> all,
      List<ReadStats.PerSSTable> looked,
      Set<ReadStats.PerSSTable> waited,
      long[] saved) {
    for (int m = 0; m < all.size(); m++) {
      List<ReadStats.PerSSTable> merged =
          all.subList(0, m + 1).stream().filter(looked::contains).toList();
      saved[m] +=
          merged.stream().limit(Math.max(0, merged.size() - 1)).filter(waited::contains).count();
    }
  }
}
