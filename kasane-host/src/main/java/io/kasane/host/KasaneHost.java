/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import com.sun.management.OperatingSystemMXBean;
import io.kasane.host.claim.NodeId;
import io.kasane.host.config.NodeConfig;
import io.kasane.host.fast.DirectoryGuard;
import io.kasane.host.fast.FastDirectories;
import io.kasane.host.fast.FastDiskErrors;
import io.kasane.host.refuse.JarVersions;
import io.kasane.host.route.NodeSeverity;
import io.kasane.host.route.ReplicaLag;
import io.kasane.host.view.DiskView;
import io.kasane.host.view.NodeView;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.io.FSError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node as the rest of Kasane sees it: its settings and its fast directories. One instance a
 * process, made by the storage hook.
 */
public final class KasaneHost {
  private static final Logger logger = LoggerFactory.getLogger(KasaneHost.class);
  private static final int DEFAULT_PART_OF_MEMORY = 32;
  private static final int MAX_PART_OF_MEMORY = 2;
  private static final int LISTS_PART_OF_HEAP = 32;
  private static volatile KasaneHost instance;

  private final NodeConfig config;
  private final NodeId nodeId;
  private final FastDirectories fastDirectories;
  private final DirectoryGuard guard;
  private final FastDiskErrors fastDiskErrors;
  private final NodeSeverity severity = new NodeSeverity();

  private KasaneHost(NodeConfig config) {
    this.config = config;
    List<Path> data = FastDirectories.data();
    this.nodeId = new NodeId(data, config.fastDirectories());
    this.fastDirectories = FastDirectories.open(config, nodeId, data);
    this.guard = new DirectoryGuard(fastDirectories);
    this.fastDiskErrors = new FastDiskErrors(fastDirectories.allPaths());
  }

  static synchronized KasaneHost start() {
    if (instance == null) {
      NodeConfig config = NodeConfig.load();
      warnIfNotThere();
      KasaneHost host = new KasaneHost(config);
      host.guard.start();
      host.fastDiskErrors.install();
      for (NodeExtension extension : ServiceLoader.load(NodeExtension.class)) {
        extension.start(host);
      }
      host.severity.start(host.config.kinds());
      ReplicaLag.show();
      NodeView.show(config, host.heatMemoryBytes());
      DiskView.show(
          FastDirectories.data(),
          config.fastDirectories()::contains,
          directory ->
              config.fastDirectories().contains(directory)
                  ? FastDirectories.isUsable(directory)
                  : Files.isWritable(directory));
      instance = host;
      logger.info(
          "Kasane started: fast directories {}, fast quota {}, version {}",
          host.config.fastDirectories(),
          host.config.fastQuotaBytes().isPresent()
              ? host.config.fastQuotaBytes().getAsLong() + " bytes"
              : "not set",
          JarVersions.ours());
    }
    return instance;
  }

  /** Whoever set the hook wants more than to compact by size. */
  private static void warnIfNotThere() {
    if (NodeConfig.isThere()) {
      return;
    }
    String said =
        "There is no "
            + NodeConfig.RESOURCE
            + " in "
            + NodeConfig.place()
            + ", and -D"
            + NodeConfig.PATH_PROPERTY
            + " names none: no fast disk and no engine is used, though the storage hook is set."
            + " Write it there, or take the hook out";
    if (FastDirectories.wereThere(FastDirectories.data())) {
      logger.error("{}. This node had fast disks when it ran last", said);
    } else {
      logger.warn(said);
    }
  }

  /** The node's settings. */
  public NodeConfig config() {
    return config;
  }

  /** Who this node is to directories that it alone may use. */
  public NodeId nodeId() {
    return nodeId;
  }

  /** The data directories on the fast disk; may be none. */
  public FastDirectories fastDirectories() {
    return fastDirectories;
  }

  /** Tells other nodes how much to avoid reading from this one. */
  public NodeSeverity severity() {
    return severity;
  }

  /** Keeps Cassandra from placing files on the fast disk by itself. */
  public DirectoryGuard guard() {
    return guard;
  }

  /**
   * Says who hears of errors in writing to a fast directory. Cassandra's disk failure policy does
   * not; errors in reading are left to it.
   *
   * @param listener called on any thread; must not block
   */
  public void onFastWriteError(Consumer<FSError> listener) {
    fastDiskErrors.setListener(listener);
  }

  /** Where access counts are kept over restarts. */
  public Path heatDirectory() {
    return config
        .heatDirectory()
        .orElseGet(() -> Path.of(DatabaseDescriptor.getSavedCachesLocation(), "kasane"));
  }

  /** The most memory outside the heap that access counts may take, bytes. */
  public long heatMemoryBytes() {
    long memoryBytes = machineMemoryBytes();
    long wanted = config.heatMemoryBytes().orElse(memoryBytes / DEFAULT_PART_OF_MEMORY);
    long most = memoryBytes / MAX_PART_OF_MEMORY;
    if (wanted > most) {
      logger.warn(
          "{} is {} bytes, more than half of the memory: {} bytes are used; lower it, or leave it"
              + " out for a thirty-second of the memory",
          NodeConfig.HEAT_MEMORY,
          wanted,
          most);
    }
    return Math.min(wanted, most);
  }

  /**
   * The most memory outside the heap that may be taken to know what reads may leave out, bytes. The
   * system property is for tests, which cannot have as many rows as the least setting is for.
   */
  public long leftOutMemoryBytes() {
    return Long.getLong("kasane.left_out_bytes", heatMemoryBytes());
  }

  /** The most heap that lists of keys may take, bytes. */
  public long listHeapBytes() {
    return Math.min(heatMemoryBytes() / 2, Runtime.getRuntime().maxMemory() / LISTS_PART_OF_HEAP);
  }

  /** Of the container, if the process is in one. */
  private static long machineMemoryBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /**
   * Whether views may show partition keys: a role that may read a view need not be one that may
   * read the tables.
   */
  public boolean showsKeys() {
    return config.showKeys() || !DatabaseDescriptor.getAuthorizer().requireAuthorization();
  }
}
