/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** The words these tests share: compaction options, and orders to a node that nodetool also has. */
public final class Tiered {
  static final String KEYSPACE = "k";

  /** A node that joins gives up when others do not answer in twice this time. */
  private static final String PATIENT = "-Dcassandra.ring_delay_ms=5000";

  private static final String STORAGE_PROXY = "org.apache.cassandra.db:type=StorageProxy";
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";

  private Tiered() {}

  static LocalCluster oneNode(Path dir, Consumer<NodeSettings.Builder> change) {
    return nodes(1, dir, change);
  }

  static LocalCluster nodes(int count, Path dir, Consumer<NodeSettings.Builder> change) {
    return LocalCluster.builder(Distribution.locate(), dir)
        .isolated()
        .nodes(count)
        .each(change)
        .build();
  }

  /** A node of a cluster, set to join those that run; not started. */
  static LocalNode joining(LocalCluster cluster, int number, int... running) {
    return cluster
        .node(number)
        .with(
            settings ->
                settings
                    .yaml("auto_bootstrap", true)
                    .yaml("seed_provider", seeds(cluster, running))
                    .jvmFlag(PATIENT));
  }

  /** What the driver calls a node: {@code setNode} makes it the coordinator. */
  public static Node coordinator(CqlSession session, LocalNode node) {
    InetSocketAddress address =
        new InetSocketAddress(node.settings().address(), node.settings().nativePort());
    return session.getMetadata().getNodes().values().stream()
        .filter(candidate -> address.equals(candidate.getEndPoint().resolve()))
        .findFirst()
        .orElseThrow();
  }

  /** The value of {@code seed_provider} that names some nodes of a cluster. */
  public static Object seeds(LocalCluster cluster, int... nodes) {
    String addresses =
        IntStream.of(nodes)
            .mapToObj(node -> cluster.node(node).settings().address())
            .collect(Collectors.joining(","));
    return List.of(
        Map.of(
            "class_name",
            "org.apache.cassandra.locator.SimpleSeedProvider",
            "parameters",
            List.of(Map.of("seeds", addresses))));
  }

  /**
   * Hot is what was read since the node started: the period outlasts the test, so that only the
   * running one decides. Nothing is compacted unless the test says so.
   */
  static String onRequest(String... options) {
    return byHeat(append(options, "enabled", "false"));
  }

  /** The same, with background compaction. */
  static String byHeat(String... options) {
    return strategy(append(options, "heat_policy", "window", "heat_period", "1h"));
  }

  private static String[] append(String[] options, String... more) {
    String[] all = Arrays.copyOf(options, options.length + more.length);
    System.arraycopy(more, 0, all, options.length, more.length);
    return all;
  }

  /** The compaction map of Kasane's strategy with the given options, name after value. */
  static String strategy(String... options) {
    return map("io.kasane.tier.HeatTieredCompactionStrategy", options);
  }

  static String map(String compactionClass, String... options) {
    StringBuilder text = new StringBuilder("{'class': '" + compactionClass + "'");
    for (int i = 0; i < options.length; i += 2) {
      text.append(", '" + options[i] + "': '" + options[i + 1] + "'");
    }
    return text.append('}').toString();
  }

  /** Also keeps the driver from reading the whole schema, for a second, after each change. */
  static void createKeyspace(CqlSession session, int replicas) {
    session.setSchemaMetadataEnabled(false);
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
            + replicas
            + "}");
  }

  /**
   * Waits until each node sees all of them alive: before that, a change of schema may pass one by.
   */
  public static void awaitAllSeeAll(List<LocalNode> nodes) {
    for (LocalNode node : nodes) {
      await(node, jmx -> jmx.liveNodes() == nodes.size());
    }
  }

  /**
   * Waits until all nodes that the given one sees know the last change of the schema. The driver's
   * own check leaves out the nodes that it has not met yet.
   */
  public static void awaitSchema(LocalNode node) {
    await(node, jmx -> ((Map<?, ?>) jmx.attribute(STORAGE_PROXY, "SchemaVersions")).size() == 1);
  }

  private static void await(LocalNode node, JmxCondition condition) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .ignoreException(IOException.class)
        .until(
            () -> {
              try (NodeJmx jmx = node.jmx()) {
                return condition.holds(jmx);
              }
            });
  }

  private interface JmxCondition {
    boolean holds(NodeJmx jmx) throws IOException;
  }

  /** Deletions count their age in whole seconds. */
  static void awaitSecondsToPass() {
    long began = System.currentTimeMillis();
    Awaitility.await().until(() -> System.currentTimeMillis() - began > 2_500);
  }

  /** What kasane_views.tables says of a table, a number. */
  static long viewed(CqlSession session, String table, String column) {
    return session
        .execute(
            "SELECT "
                + column
                + " FROM kasane_views.tables WHERE keyspace_name = ? AND table_name = ?",
            KEYSPACE,
            table)
        .one()
        .getLong(0);
  }

  /**
   * A new table of {@code count} rows in one SSTable of the slow disk. Not compressed, so that its
   * bytes are those of its rows.
   */
  static TieredRows rowsOnSlow(
      LocalNode node, CqlSession session, String table, String compaction, int count) {
    createKeyspace(session, 1);
    TieredRows rows = new TieredRows(node, session, table, compaction);
    session.execute("ALTER TABLE k." + table + " WITH compression = {'enabled': false}");
    awaitSchema(node);
    rows.write(0, count);
    compact(node, table);
    return rows;
  }

  static void flush(LocalNode node, String... tables) {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(KEYSPACE, tables);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Flushes, then compacts everything of the tables and waits until it is done. */
  static void compact(LocalNode node, String... tables) {
    flush(node, tables);
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          STORAGE_SERVICE,
          "forceKeyspaceCompaction",
          List.of(boolean.class, String.class, String[].class),
          false,
          KEYSPACE,
          tables);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
