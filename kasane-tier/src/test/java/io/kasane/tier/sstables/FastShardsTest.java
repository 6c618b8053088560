/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.tier.control.FlushNeed;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.quota.FastCapacity;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Token;
import org.junit.jupiter.api.Test;

class FastShardsTest {
  private static final List<Long> QUOTAS =
      List.of(
          0L,
          (8L << 20) - 1,
          8L << 20,
          (64L << 20) - 1,
          64L << 20,
          (10L << 30) - 1,
          10L << 30,
          200L << 30);

  private static FastShards shards(long quotaBytes) {
    return new FastShards(Murmur3Partitioner.instance, quotaBytes, quotaBytes);
  }

  private static FastShards shards(long quotaBytes, long filledBytes) {
    return new FastShards(Murmur3Partitioner.instance, quotaBytes, filledBytes);
  }

  @Test
  void aLargerQuotaIsCutIntoMore() {
    assertThat(QUOTAS)
        .extracting(quota -> shards(quota).count())
        .containsExactly(4, 4, 8, 8, 16, 16, 64, 64);
  }

  @Test
  void whatLittleLiesOnALargeDiskIsOneShard() {
    assertThat(shards(1L << 30, (128L << 20) - 1).count()).isOne();
    assertThat(shards(1L << 30, 128L << 20).count()).isEqualTo(16);
    assertThat(shards(40L << 30, (5L << 30) - 1).count()).isOne();
    assertThat(shards(40L << 30, 5L << 30).count()).isEqualTo(16);
    assertThat(shards(200L << 30, 24L << 30).count()).isOne();
    assertThat(shards(200L << 30, 25L << 30).count()).isEqualTo(64);
    assertThat(shards((1L << 30) - 1, 0).count()).as("a small disk is filled soon").isEqualTo(4);
  }

  @Test
  void howFarADiskIsFilledDoesNotGoByWhatLiesThereNow() {
    assertThat(shards(200L << 30, 0))
        .extracting(FastShards::fill, FastShards::countOfMore)
        .containsExactly(0.85, 64);
  }

  @Test
  void hotRowsLeaveRoomToCompactAShardToFlushAndToCopy() {
    for (long quota : QUOTAS) {
      FastShards shards = shards(quota);
      double stays = TierOptions.KEEP_FACTOR * shards.fill();
      double copies = FastCapacity.copiesShare(shards.count());
      // Of the smallest quotas copies find room only beside what flushes need less.
      double flushes = quota < 8L << 20 ? FlushNeed.MAX_SHARE - copies : FlushNeed.MAX_SHARE;
      assertThat(stays + stays / shards.count() + flushes + copies).isLessThan(1);
    }
  }

  @Test
  void aLargeQuotaIsNotLeftAFifthEmpty() {
    assertThat(shards(10L << 30).fill()).isGreaterThanOrEqualTo(0.85);
    assertThat(shards(200L << 30).fill()).isGreaterThanOrEqualTo(0.85);
  }

  @Test
  void theBoundsOfFewerAreAmongThoseOfMore() {
    List<Token> ring =
        IntStream.range(0, 10_000)
            .<Token>mapToObj(
                i ->
                    new Murmur3Partitioner.LongToken(
                        Long.MIN_VALUE + 1 + i * (Long.MAX_VALUE / 5_000)))
            .toList();
    for (int few = 0; few < QUOTAS.size(); few++) {
      for (int many = few; many < QUOTAS.size(); many++) {
        FastShards coarse = shards(QUOTAS.get(few));
        FastShards fine = shards(QUOTAS.get(many));
        int ratio = fine.count() / coarse.count();
        assertThat(ring).allMatch(token -> coarse.of(token) == fine.of(token) / ratio);
        assertThat(ring).extracting(fine::of).isSorted();
        assertThat(fine.of(ring.get(ring.size() - 1))).isEqualTo(fine.count() - 1);
      }
    }
  }

  @Test
  void aRingThatCannotBeSplitIsOneShardWithRoomForAnother() {
    FastShards one = new FastShards(ByteOrderedPartitioner.instance, 1L << 30, 1L << 30);
    assertThat(one.count()).isOne();
    assertThat(2 * TierOptions.KEEP_FACTOR * one.fill() + FlushNeed.MAX_SHARE).isLessThan(1);
  }
}
