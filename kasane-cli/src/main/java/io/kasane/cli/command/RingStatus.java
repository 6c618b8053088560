/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether each row has its replicas on as many racks and servers as it has replicas, as text: a
 * rack is a kind of node, and nodes of one address are one server.
 */
final class RingStatus {
  private static final String SYSTEM = "system";
  private static final int MAX_TOLD = 3;

  private final List<String> lines = new ArrayList<>();

  /**
   * A replica of a range.
   *
   * @param server the address of the node
   * @param rack its data centre and rack
   */
  record Replica(String server, String rack) {
    @Override
    public String toString() {
      return server + " (" + rack + ")";
    }
  }

  /**
   * A range of tokens, and its replicas.
   *
   * @param tokens the range as text
   */
  record Range(String tokens, List<Replica> replicas) {
    boolean isSpread() {
      return replicas.stream().map(Replica::server).distinct().count() == replicas.size()
          && replicas.stream().map(Replica::rack).distinct().count() == replicas.size();
    }

    @Override
    public String toString() {
      return tokens
          + " on "
          + replicas.stream().map(Replica::toString).sorted().collect(Collectors.joining(", "));
    }
  }

  /** Asks a session that has a map of tokens; of a cluster of one rack there is nothing to say. */
  static RingStatus of(CqlSession session) {
    RingStatus status = new RingStatus();
    Metadata metadata = session.getMetadata();
    long racks = metadata.getNodes().values().stream().map(RingStatus::rack).distinct().count();
    if (racks > 1 && metadata.getTokenMap().isPresent()) {
      TokenMap map = metadata.getTokenMap().get();
      for (KeyspaceMetadata keyspace : metadata.getKeyspaces().values()) {
        if (!keyspace.isVirtual() && !keyspace.getName().asInternal().startsWith(SYSTEM)) {
          status.add(
              keyspace.getName().asCql(true),
              map.getTokenRanges().stream().map(range -> range(map, keyspace, range)).toList());
        }
      }
    }
    return status;
  }

  private static Range range(TokenMap map, KeyspaceMetadata keyspace, TokenRange range) {
    return new Range(
        "]" + map.format(range.getStart()) + ", " + map.format(range.getEnd()) + "]",
        map.getReplicas(keyspace.getName(), range).stream()
            .map(node -> new Replica(server(node), rack(node)))
            .toList());
  }

  private static String rack(Node node) {
    return node.getDatacenter() + "/" + node.getRack();
  }

  private static String server(Node node) {
    return node.getBroadcastAddress()
        .map(address -> address.getAddress().getHostAddress())
        .orElseGet(() -> node.getEndPoint().toString());
  }

  /** Adds what a keyspace has. */
  void add(String keyspace, List<Range> ranges) {
    List<Range> badly = ranges.stream().filter(range -> !range.isSpread()).toList();
    if (badly.isEmpty()) {
      lines.add(
          String.format(
              "Keyspace %s: in all of %d ranges each replica is on a rack and a server of its own",
              keyspace, ranges.size()));
      return;
    }
    lines.add(
        String.format(
            "Keyspace %s: in %d of %d ranges two replicas are on one rack or one server:",
            keyspace, badly.size(), ranges.size()));
    badly.stream().limit(MAX_TOLD).forEach(range -> lines.add("  " + range));
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  @Override
  public String toString() {
    return lines.stream().map(line -> line + System.lineSeparator()).collect(Collectors.joining());
  }
}
