/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Token;

/**
 * The fixed tokens at which SSTables on the fast disk are cut. Compacting one of {@code n} shards
 * needs spare room for a {@code n}th of the hot rows, so that the quota can be filled much further
 * than half. Partitioners that cannot split their ring have one shard.
 */
public final class FastShards {
  /** The bounds of fewer are among those of more, so that the number may change. */
  private enum Count {
    /** All is merged at once, as stock does. */
    ONE(1, 0.40),
    /** More would cost too much of a small quota: each SSTable has more than its rows. */
    FEW(4, 0.70),
    SOME(8, 0.75),
    MANY(16, 0.80),
    /** A flush makes as many SSTables, of megabytes each where the quota is as large. */
    MOST(64, 0.85);

    private static final long SOME_FROM_BYTES = 8L << 20; // so a shard has 1 MiB or more
    private static final long MANY_FROM_BYTES = 64L << 20; // so a shard has 4 MiB or more
    private static final long MAX_FROM_BYTES = 10L << 30; // so a shard has 160 MiB or more

    /** An eighth of less is a memtable or two. */
    private static final long ONE_FROM_QUOTA_BYTES = 1L << 30;

    /** Of the quota: so much it can spare beside what is merged. */
    private static final long ONE_WITHIN = 8;

    private final int shards;
    private final double fill;

    Count(int shards, double fill) {
      this.shards = shards;
      this.fill = fill;
    }

    private static Count ofFull(long quotaBytes) {
      if (quotaBytes < SOME_FROM_BYTES) {
        return FEW;
      }
      if (quotaBytes < MANY_FROM_BYTES) {
        return SOME;
      }
      return quotaBytes < MAX_FROM_BYTES ? MANY : MOST;
    }

    private static Count of(long quotaBytes, long filledBytes) {
      return filledBytes < littleBytes(quotaBytes)
          ? ONE
          : ofFull(Math.min(quotaBytes, filledBytes));
    }
  }

  /**
   * What is less is little beside a quota: there is room to merge it all at once.
   *
   * @return bytes; 0 where the quota itself is little
   */
  public static long littleBytes(long quotaBytes) {
    return quotaBytes < Count.ONE_FROM_QUOTA_BYTES ? 0 : quotaBytes / Count.ONE_WITHIN;
  }

  private final List<Token> upperBounds = new ArrayList<>();
  private final Count full;

  /**
   * The shards of a table: 1, 4, 8, 16 or 64.
   *
   * @param quotaBytes the table's limit on the fast disk
   * @param filledBytes what may come to lie there before they are asked for anew
   */
  public FastShards(IPartitioner partitioner, long quotaBytes, long filledBytes) {
    boolean canSplit = partitioner.splitter().isPresent();
    full = canSplit ? Count.ofFull(quotaBytes) : Count.ONE;
    int count = canSplit ? Count.of(quotaBytes, filledBytes).shards : 1;
    Token first = partitioner.getMinimumToken();
    for (int i = 1; i < count; i++) {
      upperBounds.add(partitioner.split(first, partitioner.getMaximumToken(), (double) i / count));
    }
  }

  /** How many shards there are, at least 1. */
  public int count() {
    return upperBounds.size() + 1;
  }

  /** Whether there are as many as a filled quota has. */
  public boolean areAll() {
    return count() == full.shards;
  }

  /** The same as {@link #count}, but of a quota that is filled where all is left in one. */
  public int countOfMore() {
    return upperBounds.isEmpty() ? full.shards : count();
  }

  /** The share of the quota that hot rows may fill, so that compaction has room to work in. */
  public double fill() {
    return full.fill;
  }

  /** The shard of {@code token}, from 0; never falls as the token rises. */
  public int of(Token token) {
    int found = Collections.binarySearch(upperBounds, token);
    return found >= 0 ? found : -found - 1;
  }
}
