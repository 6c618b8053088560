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
  static final int COUNT = 4;

  private final List<Token> upperBounds;

  FastShards(IPartitioner partitioner) {
    upperBounds = new ArrayList<>();
    if (partitioner.splitter().isPresent()) {
      Token first = partitioner.getMinimumToken();
      Token last = partitioner.getMaximumToken();
      for (int i = 1; i < COUNT; i++) {
        upperBounds.add(partitioner.split(first, last, (double) i / COUNT));
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
