/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/** Which parts of the ring this node keeps of a keyspace. */
final class NodeRanges {
  private NodeRanges() {}

  /** What it has, and what it is about to get. */
  static List<Range<Token>> kept(String keyspace) {
    List<Range<Token>> kept = new ArrayList<>();
    Iterables.addAll(kept, StorageService.instance.getLocalReplicas(keyspace).ranges());
    StorageService.instance
        .getTokenMetadata()
        .getPendingRanges(keyspace, FBUtilities.getBroadcastAddressAndPort())
        .ranges()
        .forEach(kept::add);
    return kept;
  }

  /** The rest of the ring, in order; none of its ranges wraps. */
  static List<Range<Token>> without(Collection<Range<Token>> kept, IPartitioner partitioner) {
    Token end = partitioner.getMinimumToken();
    List<Range<Token>> rest = new ArrayList<>();
    Token from = end;
    for (Range<Token> range : Range.normalize(kept)) {
      if (range.left.compareTo(from) > 0) {
        rest.add(new Range<>(from, range.left));
      }
      if (range.right.isMinimum()) {
        return rest;
      }
      from = range.right;
    }
    rest.add(new Range<>(from, end));
    return rest;
  }
}
