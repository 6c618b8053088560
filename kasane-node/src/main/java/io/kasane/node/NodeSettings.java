/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a local node is started with; immutable, changed through {@link #toBuilder()}.
 *
 * @param index the node's number in its cluster, from 1
 * @param clusterSize how many nodes share the ring
 * @param network the first three numbers of the nodes' addresses, {@code 127.0.0}
 * @param dir the node's own directory
 * @param fast its data directory on the fast disk
 * @param slow its data directory on the slow disk
 * @param fastQuota how many bytes Kasane may use on the fast disk; empty leaves it its default
 * @param kasane whether Kasane's jars and storage hook are loaded
 * @param heap the JVM's heap, in the JVM's notation
 * @param nativePort the CQL port
 * @param storagePort the port between nodes
 * @param jmxPort the JMX port, bound to the loopback address only
 * @param rack the data centre and rack that it is in; empty where there is but one
 * @param yaml settings that override or extend the generated {@code cassandra.yaml}; a null value
 *     removes a setting
 * @param kasaneYaml settings that override or extend the generated {@code kasane.yaml}
 * @param jvmFlags flags appended to the generated ones
 */
public record NodeSettings(
    int index,
    int clusterSize,
    String network,
    Path dir,
    Path fast,
    Path slow,
    Optional<ByteSize> fastQuota,
    boolean kasane,
    String heap,
    int nativePort,
    int storagePort,
    int jmxPort,
    Optional<Rack> rack,
    Map<String, Object> yaml,
    Map<String, Object> kasaneYaml,
    List<String> jvmFlags) {
  /** Cassandra's own CQL port. */
  public static final int DEFAULT_NATIVE_PORT = 9042;

  /** Cassandra's own port between nodes. */
  public static final int DEFAULT_STORAGE_PORT = 7000;

  /** Cassandra's own JMX port. */
  public static final int DEFAULT_JMX_PORT = 7199;

  /** The network of the first local cluster. */
  public static final String DEFAULT_NETWORK = "127.0.0";

  /** A heap that boots a node and serves a demonstration. */
  public static final String DEFAULT_HEAP = "1g";

  private static final String ENGINE_DIRECTORY = "engine_directory";

  /** Checks the numbers and takes copies of the collections. */
  public NodeSettings {
    if (clusterSize < 1 || clusterSize > 250) {
      throw new NodeException("nodes: " + clusterSize + " is outside 1..250");
    }
    if (index < 1 || index > clusterSize) {
      throw new NodeException("node number " + index + " is outside 1.." + clusterSize);
    }
    if (!network.matches("127\\.\\d{1,3}\\.\\d{1,3}")) {
      throw new NodeException(
          "network: '" + network + "' is not the start of a loopback address such as 127.0.0");
    }
    yaml = Collections.unmodifiableMap(new LinkedHashMap<>(yaml));
    kasaneYaml = Collections.unmodifiableMap(new LinkedHashMap<>(kasaneYaml));
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** Starts settings for a node that lives in the given directory. */
  public static Builder builder(Path dir) {
    return new Builder(dir);
  }

  /** Returns the node's address. */
  public String address() {
    return addressOf(index);
  }

  /** Returns the addresses of every node of the cluster. */
  public List<String> clusterAddresses() {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= clusterSize; i++) {
      addresses.add(addressOf(i));
    }
    return addresses;
  }

  private String addressOf(int node) {
    return network + "." + node;
  }

  /** Returns whether tables may be in storage engines. */
  public boolean hasEngines() {
    return kasane && EngineMemtables.isIn(yaml);
  }

  /** Returns where files of storage engines lie, if there are any. */
  public Path engineDirectory() {
    return kasaneYaml.get(ENGINE_DIRECTORY) instanceof String named
        ? Path.of(named)
        : dir.resolve("engines");
  }

  /** Returns a builder that starts from these settings. */
  public Builder toBuilder() {
    Builder builder = new Builder(dir);
    builder.index = index;
    builder.clusterSize = clusterSize;
    builder.network = network;
    builder.fast = fast;
    builder.slow = slow;
    builder.fastQuota = fastQuota;
    builder.kasane = kasane;
    builder.heap = heap;
    builder.nativePort = nativePort;
    builder.storagePort = storagePort;
    builder.jmxPort = jmxPort;
    builder.rack = rack;
    builder.yaml.putAll(yaml);
    builder.kasaneYaml.putAll(kasaneYaml);
    builder.jvmFlags.addAll(jvmFlags);
    return builder;
  }

  /** Collects settings; what is not set has the default of a single local node. */
  public static final class Builder {
    private final Path dir;
    private int index = 1;
    private int clusterSize = 1;
    private String network = DEFAULT_NETWORK;
    private Path fast;
    private Path slow;
    private Optional<ByteSize> fastQuota = Optional.empty();
    private boolean kasane = true;
    private String heap = DEFAULT_HEAP;
    private int nativePort = DEFAULT_NATIVE_PORT;
    private int storagePort = DEFAULT_STORAGE_PORT;
    private int jmxPort;
    private Optional<Rack> rack = Optional.empty();
    private final Map<String, Object> yaml = new LinkedHashMap<>();
    private final Map<String, Object> kasaneYaml = new LinkedHashMap<>();
    private final List<String> jvmFlags = new ArrayList<>();

    private Builder(Path dir) {
      this.dir = dir.toAbsolutePath().normalize();
      this.fast = this.dir.resolve("fast");
      this.slow = this.dir.resolve("slow");
    }

    /** Makes this node number {@code index} (from 1) of a cluster of {@code clusterSize}. */
    public Builder place(int index, int clusterSize) {
      this.index = index;
      this.clusterSize = clusterSize;
      return this;
    }

    /** Sets the first three numbers of the nodes' addresses. */
    public Builder network(String network) {
      this.network = network;
      return this;
    }

    /** Sets the data directory on the fast disk. */
    public Builder fast(Path directory) {
      this.fast = directory.toAbsolutePath().normalize();
      return this;
    }

    /** Sets the data directory on the slow disk. */
    public Builder slow(Path directory) {
      this.slow = directory.toAbsolutePath().normalize();
      return this;
    }

    /** Bounds the bytes Kasane may use on the fast disk. */
    public Builder fastQuota(ByteSize quota) {
      this.fastQuota = Optional.of(quota);
      return this;
    }

    /** Says whether the node loads Kasane (the default) or is stock Cassandra. */
    public Builder withKasane(boolean kasane) {
      this.kasane = kasane;
      return this;
    }

    /** Sets the JVM's heap: {@code 512m}, {@code 2g} or {@code 2GiB}. */
    public Builder heap(String heap) {
      try {
        this.heap = ByteSize.parse(heap).jvm();
      } catch (IllegalArgumentException e) {
        throw new NodeException("heap: " + e.getMessage(), e);
      }
      return this;
    }

    /** Sets the CQL port. */
    public Builder nativePort(int port) {
      this.nativePort = port;
      return this;
    }

    /** Sets the port between nodes. */
    public Builder storagePort(int port) {
      this.storagePort = port;
      return this;
    }

    /** Sets this node's JMX port; 0 means Cassandra's port plus the node's number less one. */
    public Builder jmxPort(int port) {
      this.jmxPort = port;
      return this;
    }

    /** Puts it into a rack of a data centre, which its snitch then tells the others. */
    public Builder in(Rack rack) {
      this.rack = Optional.of(rack);
      return this;
    }

    /** Overrides one setting of {@code cassandra.yaml}; null removes it. */
    public Builder yaml(String name, Object value) {
      this.yaml.put(name, value);
      return this;
    }

    /** Overrides or adds one setting of {@code kasane.yaml}. */
    public Builder kasaneYaml(String name, Object value) {
      this.kasaneYaml.put(name, value);
      return this;
    }

    /**
     * Keeps tables in a storage engine.
     *
     * @param engine of tables that name no memtable: {@code lmdb}, {@code rocksdb}, {@code redis},
     *     {@code innodb}, or {@code lsm} for Cassandra's own; each of these is a memtable's name,
     *     too
     * @param more engines with a server that the node is to have
     */
    public Builder engine(String engine, String... more) {
      return yaml("memtable", EngineMemtables.configurations(engine, List.of(more)));
    }

    /** Makes every acknowledged write survive a kill: the commit log syncs before it answers. */
    public Builder syncEveryWrite() {
      return yaml("commitlog_sync", "batch").yaml("commitlog_sync_period", null);
    }

    /** Adds a flag to the node's JVM. */
    public Builder jvmFlag(String flag) {
      this.jvmFlags.add(flag);
      return this;
    }

    /** Returns the settings, checked. */
    public NodeSettings build() {
      int jmx = jmxPort == 0 ? DEFAULT_JMX_PORT + index - 1 : jmxPort;
      return new NodeSettings(
          index,
          clusterSize,
          network,
          dir,
          fast,
          slow,
          fastQuota,
          kasane,
          heap,
          nativePort,
          storagePort,
          jmx,
          rack,
          yaml,
          kasaneYaml,
          jvmFlags);
    }
  }
}
