/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.bench.load.Loader;
import io.kasane.bench.load.Table;
import io.kasane.bench.rig.MemoryRoom;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One fresh node with the table on one system. */
final class EngineNode implements AutoCloseable {
  private static final String METRICS = "org.apache.cassandra.metrics:type=";
  private static final String OF_TABLE =
      METRICS + "Table,keyspace=" + Table.KEYSPACE + ",scope=" + Table.NAME + ",name=";
  private static final String PENDING = METRICS + "Compaction,name=PendingTasks";
  private static final Duration MAX_SETTLING = Duration.ofMinutes(2);
  private static final Duration MAX_SCAN = Duration.ofMinutes(5);
  private static final int LOG_LINES = 5;
  private static final int POLL_MILLIS = 200;

  /** A compaction is asked for a moment after a flush has ended. */
  private static final int QUIET_POLLS = 5;

  /** Of one core. */
  private static final double IDLE_CPU_SHARE = 0.2;

  private final EngineSystem system;
  private final LocalCluster cluster;
  private final MemoryRoom room;
  private final CqlSession session;
  private final NodeJmx jmx;

  /**
   * Starts it.
   *
   * @param cluster one node, not started
   * @param room whose memory is limited later; null for none
   */
  private EngineNode(EngineSystem system, LocalCluster cluster, MemoryRoom room)
      throws IOException {
    this.system = system;
    this.room = room;
    this.cluster = cluster;
    this.session = cluster.connect();
    this.jmx = cluster.node(1).jmx();
  }

  /** Starts a node without rows; its files lie below the directory. */
  static EngineNode start(
      Distribution distribution,
      Path directory,
      EngineSystem system,
      EngineNodeSettings settings,
      boolean isLimited)
      throws IOException {
    MemoryRoom room = isLimited ? MemoryRoom.open() : null;
    LocalCluster cluster =
        LocalCluster.builder(distribution, directory)
            .isolated()
            .each(node -> settings.configure(node, system))
            .build();
    try {
      cluster.start(
          process -> {
            if (room != null) {
              room.admit(process);
            }
          });
      return new EngineNode(system, cluster, room);
    } catch (IOException | RuntimeException e) {
      cluster.kill9();
      if (room != null) {
        room.close();
      }
      throw e;
    }
  }

  CqlSession session() {
    return session;
  }

  /** Writes all rows, and ends with none of them in a memtable. */
  void load(int rows, Consumer<String> progress) throws IOException, InterruptedException {
    session.execute(
        "CREATE KEYSPACE "
            + Table.KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    // What takes each write at once is loaded by flushes, too: a sync a row would take hours.
    session.execute(Table.create() + " AND memtable = '" + system.engine() + "'");
    Loader.load(
        session, rows, done -> progress.accept("loading rows: %,d of %,d".formatted(done, rows)));
    progress.accept("settling");
    settle();
    if (system.isThrough()) {
      session.execute(
          "ALTER TABLE " + Table.QUALIFIED + " WITH memtable = '" + system.label() + "'");
      settle();
    }
  }

  /** Leaves the page cache so much room; it is empty at first. */
  void limitPageCache(long bytes) throws IOException {
    room.leave(bytes);
  }

  /**
   * Flushes, and waits until nothing is compacted: neither by Cassandra, which says so, nor by an
   * engine, whose threads are busy then.
   */
  void settle() throws IOException, InterruptedException {
    jmx.flush(Table.KEYSPACE, Table.NAME);
    long began = System.nanoTime();
    long cpuNanos = cpuNanos();
    for (int quiet = 0; quiet < QUIET_POLLS; ) {
      Thread.sleep(POLL_MILLIS);
      long before = cpuNanos;
      cpuNanos = cpuNanos();
      boolean isIdle =
          cpuNanos - before < IDLE_CPU_SHARE * TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);
      quiet = isIdle && number(PENDING, "Value") == 0 ? quiet + 1 : 0;
      if (System.nanoTime() - began > MAX_SETTLING.toNanos()) {
        throw new NodeException(
            system.label()
                + " still compacts after "
                + MAX_SETTLING.toSeconds()
                + " s; take fewer rows, or a machine that has less to do");
      }
    }
  }

  NodeMeasures measures() throws IOException {
    return new NodeMeasures(
        cpuNanos(),
        number(OF_TABLE + "ReadLatency", "Count"),
        number(OF_TABLE + "ReadTotalLatency", "Count"),
        number(OF_TABLE + "WriteLatency", "Count"),
        number(OF_TABLE + "WriteTotalLatency", "Count"));
  }

  private long cpuNanos() {
    return requireAlive().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  private ProcessHandle requireAlive() {
    return node()
        .process()
        .orElseThrow(
            () ->
                new NodeException(
                    system.label()
                        + ": the node has ended"
                        + (room == null
                            ? ""
                            : ", perhaps by the kernel for lack of memory; try a larger --scale")
                        + ". Its log ends with: "
                        + node().log().lastTrouble(LOG_LINES)));
  }

  private LocalNode node() {
    return cluster.node(1);
  }

  private long number(String bean, String attribute) throws IOException {
    return ((Number) jmx.attribute(bean, attribute)).longValue();
  }

  /** Counts the rows by a scan of the whole table. */
  long count() {
    return session
        .execute(
            SimpleStatement.newInstance("SELECT COUNT(*) FROM " + Table.QUALIFIED)
                .setConsistencyLevel(ConsistencyLevel.ONE)
                .setTimeout(MAX_SCAN))
        .one()
        .getLong(0);
  }

  /** Returns what the table takes on disk, the engine's own files among it. */
  long diskBytes() {
    long bytes =
        DirectoryUse.of(node().settings().slow().resolve(Table.KEYSPACE)).bytes()
            + DirectoryUse.of(node().settings().fast().resolve(Table.KEYSPACE)).bytes();
    return system == EngineSystem.LSM
        ? bytes
        : bytes
            + DirectoryUse.of(node().settings().dir().resolve("engines").resolve(system.engine()))
                .bytes();
  }

  /** The data are thrown away: nothing is saved in an orderly stop. */
  @Override
  public void close() throws IOException {
    try {
      jmx.close();
      session.close();
    } finally {
      cluster.kill9();
      if (room != null) {
        room.close();
      }
      DirectoryUse.delete(cluster.dir());
    }
  }
}
