/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.Table;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.openmbean.CompositeData;

/** What can be read off a running node at any time. */
final class NodeProbe implements AutoCloseable {
  private static final String METRICS = "org.apache.cassandra.metrics:type=";
  private static final String OF_TABLE =
      ",keyspace=" + Table.KEYSPACE + ",scope=" + Table.NAME + ",name=";
  private static final String KASANE = METRICS + "Kasane" + OF_TABLE;
  private static final String SSTABLES_PER_READ =
      METRICS + "Table" + OF_TABLE + "SSTablesPerReadHistogram";
  private static final String COMPACTIONS = METRICS + "Compaction,name=Compactions";
  private static final String COLLECTORS = "java.lang:type=GarbageCollector,*";
  private static final String STORE =
      "org.apache.cassandra.db:type=Tables,keyspace=" + Table.KEYSPACE + ",table=" + Table.NAME;

  private final LocalNode node;
  private final Contestant contestant;
  private final DiskRig rig;
  private final NodeJmx jmx;
  private long reads;
  private long sstables;

  NodeProbe(LocalNode node, Contestant contestant, DiskRig rig) throws IOException {
    this.node = node;
    this.contestant = contestant;
    this.rig = rig;
    this.jmx = node.jmx();
  }

  void measure() throws IOException {
    for (DiskRole role : contestant.disks()) {
      rig.measure(jmx, role.label());
    }
  }

  NodeCounters counters() throws IOException {
    Map<DiskRole, DiskCounters> disks = new EnumMap<>(DiskRole.class);
    for (DiskRole role : contestant.disks()) {
      disks.put(role, rig.counters(jmx, role.label()));
    }
    countReads();
    boolean kasane = contestant.kasane();
    return new NodeCounters(
        1,
        disks,
        kasane ? number(KASANE + "ReadsFast", "Value") : 0,
        kasane ? number(KASANE + "ReadsSlow", "Value") : 0,
        kasane ? number(KASANE + "SlowLookUps", "Value") : 0,
        reads,
        sstables,
        number(COMPACTIONS + "Aborted", "Count") + number(COMPACTIONS + "Reduced", "Count"),
        node.process()
            .flatMap(process -> process.info().totalCpuDuration())
            .orElseThrow(() -> new NodeException(node + " has ended; see " + node.log().path()))
            .toNanos(),
        collectionMillis());
  }

  /** Of whichever collectors its JVM has. */
  private long collectionMillis() throws IOException {
    long millis = 0;
    for (String collector : jmx.beans(COLLECTORS)) {
      millis += number(collector, "CollectionTime");
    }
    return millis;
  }

  NodeMemory memory() throws IOException {
    CompositeData heap = (CompositeData) jmx.attribute("java.lang:type=Memory", "HeapMemoryUsage");
    boolean kasane = contestant.kasane();
    return new NodeMemory(
        residentBytes(),
        (Long) heap.get("used"),
        kasane ? number(KASANE + "HeatMemoryBytes", "Value") : 0,
        kasane ? number(KASANE + "LeftOutMemoryBytes", "Value") : 0);
  }

  private double residentBytes() throws IOException {
    Optional<ProcessHandle> process = node.process();
    Path status = Path.of("/proc/" + process.map(ProcessHandle::pid).orElse(-1L) + "/status");
    if (!Files.isReadable(status)) {
      return Double.NaN;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst()
        .orElse(Double.NaN);
  }

  /**
   * Cassandra's histogram tells what was added since it was last asked. Its buckets stand for 0, 1,
   * 2 and so on, from 8 on for numbers that grow by a fifth.
   */
  private void countReads() throws IOException {
    long value = 0;
    for (long count : (long[]) jmx.attribute(SSTABLES_PER_READ, "RecentValues")) {
      reads += count;
      sstables += count * value;
      value = Math.max(value + 1, Math.round(value * 1.2));
    }
  }

  /** Returns in how many SSTables of this node a key has parts, mean of the keys. */
  double sstablesHolding(List<String> keys) throws IOException {
    long holders = 0;
    for (String key : keys) {
      holders +=
          ((List<?>) jmx.invoke(STORE, "getSSTablesForKey", List.of(String.class), key)).size();
    }
    return holders / (double) keys.size();
  }

  private long number(String bean, String attribute) throws IOException {
    return ((Number) jmx.attribute(bean, attribute)).longValue();
  }

  @Override
  public void close() throws IOException {
    jmx.close();
  }
}
