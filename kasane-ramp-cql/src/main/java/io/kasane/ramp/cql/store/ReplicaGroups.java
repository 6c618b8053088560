/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What may travel in one request: what the same replicas hold, so that whichever of them
 * coordinates has all of it. A request costs its coordinator and its client more than a row does.
 *
 * <p>Where the driver does not know the replicas, everything travels alone. Thread-safe.
 */
final class ReplicaGroups {
  private final Function<ByteBuffer, ? extends Set<?>> replicas;
  private final int maxRows;
  private final long maxBytes;

  /**
   * Groups by what holds a partition.
   *
   * @param replicas of a partition; none if they are unknown
   * @param maxRows the most in a group; 1 for none
   * @param maxBytes the most that they may weigh together; what weighs more travels alone
   */
  ReplicaGroups(Function<ByteBuffer, ? extends Set<?>> replicas, int maxRows, long maxBytes) {
    this.replicas = replicas;
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  /** Groups by the nodes that hold a partition of the keyspace now. */
  static ReplicaGroups in(CqlSession session, String keyspace, int maxRows, long maxBytes) {
    CqlIdentifier name = CqlIdentifier.fromInternal(keyspace);
    return new ReplicaGroups(
        partition ->
            session
                .getMetadata()
                .getTokenMap()
                .map(tokens -> tokens.getReplicas(name, partition))
                .orElse(Set.of()),
        maxRows,
        maxBytes);
  }

  /** Groups of what any node may coordinate, whoever holds it. */
  static ReplicaGroups anywhere(int maxRows) {
    return new ReplicaGroups(partition -> Set.of("any"), maxRows, Long.MAX_VALUE);
  }

  /**
   * All items, in groups of one at least.
   *
   * @param partition of an item; decides its replicas
   * @param kind only items of equal kinds share a group
   * @param bytes what an item weighs
   */
  <T> List<List<T>> of(
      Iterable<T> items,
      Function<T, ByteBuffer> partition,
      Function<T, ?> kind,
      ToLongFunction<T> bytes) {
    List<List<T>> groups = new ArrayList<>();
    Map<Place, Open<T>> open = new HashMap<>();
    for (T item : items) {
      Set<?> holders = maxRows == 1 ? Set.of() : replicas.apply(partition.apply(item));
      if (holders.isEmpty()) {
        groups.add(List.of(item));
        continue;
      }
      long weight = bytes.applyAsLong(item);
      Place place = new Place(holders, kind.apply(item));
      Open<T> group = open.get(place);
      if (group == null || group.items.size() >= maxRows || group.weight + weight > maxBytes) {
        group = new Open<>();
        open.put(place, group);
        groups.add(group.items);
      }
      group.items.add(item);
      group.weight += weight;
    }
    return groups;
  }

  private record Place(Set<?> holders, Object kind) {}

  /** A group that may take more. */
  private static final class Open<T> {
    private final List<T> items = new ArrayList<>();
    private long weight;
  }
}
