/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeJmx;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampSessionBuilder;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.version.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One node with an arena, and a session of either kind over the same table: groups of keys of 1 KB,
 * which are written together.
 */
final class ArenaNode implements AutoCloseable {
  static final int GROUPS = 5_000;
  static final int KEYS = 4;
  static final String KEYSPACE = "cost";
  static final String TABLE = "t";

  private static final int VALUE_BYTES = 1_000;

  private final LocalCluster cluster;
  private final Path arenas;
  private final CqlSession cql;
  private final RampSession plain;
  private final RampSession shared;
  private final RampTable<Long, Bytes> table;

  private ArenaNode(LocalCluster cluster, Path arenas, boolean hasArena) {
    this.cluster = cluster;
    this.arenas = arenas;
    this.cql = cluster.connect();
    cql.execute(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    this.plain = session().build();
    this.shared = (hasArena ? session().arenas(arenas) : session()).build();
    this.table = shared.table(TABLE, Codecs.int64(), Codecs.blob());
    plain.table(TABLE, Codecs.int64(), Codecs.blob());
  }

  /** Starts it; whatever it needs is in the place. */
  static ArenaNode start(TemporaryPlace place) {
    return start(place, true);
  }

  /** Starts one that is the same without an arena; its sessions both read by CQL. */
  static ArenaNode startWithout(TemporaryPlace place) {
    return start(place, false);
  }

  private static ArenaNode start(TemporaryPlace place, boolean hasArena) {
    Path arenas = place.directoryInMemory();
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), place.directory())
            .isolated()
            .each(
                node -> {
                  node.heap("1g");
                  if (hasArena) {
                    node.kasaneYaml(
                        "arenas",
                        Map.of(
                            "directory",
                            arenas.toString(),
                            "tables",
                            Map.of(KEYSPACE + "." + TABLE, "128MiB")));
                  }
                })
            .build()
            .start();
    try {
      return new ArenaNode(cluster, arenas, hasArena);
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private RampSessionBuilder session() {
    return RampSession.builder(cql, KEYSPACE)
        .levels(levels -> levels.withFirstRound(ConsistencyLevel.ONE));
  }

  CqlSession cql() {
    return cql;
  }

  /** Reads by CQL alone. */
  RampSession plain() {
    return plain;
  }

  /** Reads the arena. */
  RampSession shared() {
    return shared;
  }

  RampTable<Long, Bytes> table() {
    return table;
  }

  Path arena() {
    return arenas.resolve(KEYSPACE + "." + TABLE + ".arena");
  }

  NodeJmx jmx() throws IOException {
    return cluster.node(1).jmx();
  }

  ProcessHandle process() {
    return cluster.node(1).process().orElseThrow();
  }

  static List<Long> keys(int group) {
    List<Long> keys = new ArrayList<>(KEYS);
    for (int i = 0; i < KEYS; i++) {
      keys.add((long) group * KEYS + i);
    }
    return keys;
  }

  /** Writes a group's keys in one transaction, all with one value. */
  void write(int group, SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    Bytes same = Bytes.copyOf(ByteBuffer.wrap(value));
    Map<Long, Bytes> values = new HashMap<>();
    keys(group).forEach(key -> values.put(key, same));
    plain.newSession().put(table, values);
  }

  /** Reads a group as somebody does who has seen nothing yet. */
  Map<Long, Bytes> read(RampSession session, int group) {
    return session.newSession().getAll(table, keys(group));
  }

  /** Reads all keys once by the arena; returns how many it had. */
  long fill() {
    long before = shared.metrics().arenas().orElseThrow().hits();
    for (int group = 0; group < GROUPS; group++) {
      read(shared, group);
    }
    return shared.metrics().arenas().orElseThrow().hits() - before;
  }

  @Override
  public void close() {
    plain.close();
    shared.close();
    cql.close();
    cluster.close();
  }
}
