/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.lab.ModelRig;
import io.kasane.disk.Devices;
import io.kasane.disk.Layout;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node whose fast data directory lies on the modelled disk {@code fast}, and whose heat lies on
 * {@code heat}. Both take no time, and fail as they are told. What it does when a disk fails is
 * Cassandra's default: it stops serving.
 */
final class FaultyNode implements AutoCloseable {
  private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";
  private static final String COMPACTIONS = "org.apache.cassandra.db:type=CompactionManager";
  private static final long DISK_BYTES = 1L << 30;
  private static final long ORDER_SECONDS = 30;

  private final LocalNode node;
  private final ExecutorService orders =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "order");
            thread.setDaemon(true);
            return thread;
          });
  private NodeJmx jmx;
  private CqlSession session;

  FaultyNode(Path dir) throws IOException {
    Path heat = Files.createDirectory(dir.resolve("heat"));
    Path layout = dir.resolve("disks.properties");
    this.node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(settings -> configure(settings, heat, layout))
            .build()
            .node(1);
    new Layout(List.of(disk("fast", node.settings().fast()), disk("heat", heat)), 0).write(layout);
  }

  private static void configure(NodeSettings.Builder settings, Path heat, Path layout) {
    settings
        .heap("600m")
        .fastQuota(ByteSize.parse("6MiB"))
        .syncEveryWrite()
        .yaml("disk_access_mode", "standard")
        .yaml("disk_failure_policy", "stop")
        .yaml("saved_caches_directory", heat.toString())
        .yaml("uuid_sstable_identifiers_enabled", true)
        .yaml("auto_snapshot", false)
        .jvmFlag("-D" + Devices.INSTANT_PROPERTY + "=true");
    ModelRig.jvmFlags(layout).forEach(settings::jvmFlag);
  }

  private static Layout.Entry disk(String name, Path directory) {
    return new Layout.Entry(name, directory, "ssd-sata", DISK_BYTES, 1, 1);
  }

  /** Starts it and connects; faults of an earlier run are gone. */
  void start() throws IOException {
    node.start().waitUntilReady();
    jmx = node.jmx();
    session = node.connect();
    session.setSchemaMetadataEnabled(false);
  }

  /** Kills it as a power cut would, and starts it again. */
  void crash() throws IOException {
    kill();
    start();
  }

  private void kill() throws IOException {
    if (session != null) {
      session.close();
      jmx.close();
    }
    node.kill9();
  }

  CqlSession session() {
    return session;
  }

  FaultyDisk fastDisk() {
    return new FaultyDisk(jmx, "fast");
  }

  FaultyDisk heatDisk() {
    return new FaultyDisk(jmx, "heat");
  }

  /** Whether clients and other nodes are still served. */
  boolean isServing() {
    try {
      return node.isReady()
          && (Boolean) jmx.attribute(STORAGE_SERVICE, "NativeTransportRunning")
          && (Boolean) jmx.attribute(STORAGE_SERVICE, "GossipRunning");
    } catch (IOException e) {
      return false;
    }
  }

  void requireServing(String after) {
    assertThat(isServing())
        .as("node serves after %s; its last errors: %s", after, lastErrors())
        .isTrue();
  }

  private List<String> lastErrors() {
    List<String> errors = node.log().errors();
    return errors.subList(Math.max(0, errors.size() - 4), errors.size());
  }

  /** Flushes a table; fails if that fails or takes for ever. */
  void flush(String table) throws Exception {
    order(
        "flush of " + table,
        () -> {
          jmx.flush(VersionedRows.KEYSPACE, table);
          return null;
        });
  }

  /** Compacts some SSTables together; fails if that fails or takes for ever. */
  void compact(Set<Path> dataFiles) throws Exception {
    String names = dataFiles.stream().map(Path::toString).collect(Collectors.joining(","));
    order(
        "compaction of " + names,
        () -> jmx.invoke(COMPACTIONS, "forceUserDefinedCompaction", List.of(String.class), names));
  }

  private void order(String what, Callable<?> order) throws Exception {
    Future<?> answer = orders.submit(order);
    try {
      answer.get(ORDER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(what + " hangs: no answer in " + ORDER_SECONDS + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(what + " failed: " + e.getCause().getMessage(), e.getCause());
    }
  }

  /** The Data.db files of a table on fast. */
  Set<Path> onFast(String table) throws IOException {
    Path keyspace = node.settings().fast().resolve(VersionedRows.KEYSPACE);
    Set<Path> found = new TreeSet<>();
    for (Path directory : named(keyspace, name -> name.startsWith(table + "-"))) {
      found.addAll(named(directory, name -> name.endsWith("-Data.db")));
    }
    return found;
  }

  /** By names alone: to walk is to ask each file for its attributes, and some vanish meanwhile. */
  private static List<Path> named(Path directory, Predicate<String> isWanted) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> isWanted.test(file.getFileName().toString())).toList();
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    orders.shutdownNow();
  }
}
