/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Token;

/**
 * The fixed tokens at which SSTables on the fast disk are cut. Compacting one of {@code n} shards
 * needs spare room for a {@code n}th of the hot rows, so that the quota can be filled much further
 * than half. Partitioners that cannot split their ring have one shard.
 */
public final class FastShards {
  private static final int MANY = 8;
  private static final int FEW = 4;

  /** Below it, what each SSTable has beside its rows would take too much of the quota. */
  private static final long MANY_FROM_BYTES = 8L << 20;

  private final List<Token> upperBounds;

  /**
   * The shards of a table: {@value #FEW} or {@value #MANY}, where the bounds of the few are among
   * those of the many, so that the number may change.
   *
   * @param quotaBytes the table's limit on the fast disk
   */
  FastShards(IPartitioner partitioner, long quotaBytes) {
    int count = quotaBytes < MANY_FROM_BYTES ? FEW : MANY;
    upperBounds = new ArrayList<>();
    if (partitioner.splitter().isPresent()) {
      Token first = partitioner.getMinimumToken();
      Token last = partitioner.getMaximumToken();
      for (int i = 1; i < count; i++) {
        upperBounds.add(partitioner.split(first, last, (double) i / count));
      }
    }
  }

  /** How many shards there are, at least 1. */
  public int count() {
    return upperBounds.size() + 1;
  }

  /** The shard of {@code token}, from 0; never falls as the token rises. */
  public int of(Token token) {
    int shard = 0;
    while (shard < upperBounds.size() && token.compareTo(upperBounds.get(shard)) > 0) {
      shard++;
    }
    return shard;
  }
}
