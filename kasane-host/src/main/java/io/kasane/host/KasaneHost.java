/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.nio.file.Path;
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
  private static final int DEFAULT_PART_OF_HEAP = 8;
  private static final int MOST_PART_OF_HEAP = 2;
  private static volatile KasaneHost instance;

  private final NodeConfig config;
  private final FastDirectories fastDirectories;
  private final DirectoryGuard guard;
  private final FastDiskErrors fastDiskErrors;

  private KasaneHost(NodeConfig config) {
    this.config = config;
    this.fastDirectories = FastDirectories.open(config);
    this.guard = new DirectoryGuard(fastDirectories);
    this.fastDiskErrors = new FastDiskErrors(fastDirectories.allPaths());
  }

  static synchronized KasaneHost start() {
    if (instance == null) {
      KasaneHost host = new KasaneHost(NodeConfig.load());
      host.guard.start();
      host.fastDiskErrors.install();
      for (NodeExtension extension : ServiceLoader.load(NodeExtension.class)) {
        extension.start(host);
      }
      instance = host;
      logger.info(
          "Kasane started: fast directories {}, fast quota {}",
          host.config.fastDirectories(),
          host.config.fastQuotaBytes().isPresent()
              ? host.config.fastQuotaBytes().getAsLong() + " bytes"
              : "not set");
    }
    return instance;
  }

  /** The node's settings. */
  public NodeConfig config() {
    return config;
  }

  /** The data directories on the fast disk; may be none. */
  public FastDirectories fastDirectories() {
    return fastDirectories;
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

  /** The most heap that what is known of rows may take, bytes. */
  public long heatMemoryBytes() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    long wanted = config.heatMemoryBytes().orElse(heapBytes / DEFAULT_PART_OF_HEAP);
    long most = heapBytes / MOST_PART_OF_HEAP;
    if (wanted > most) {
      logger.warn(
          "{} is {} bytes, more than half of the heap: {} bytes are used; lower it, or leave it out"
              + " for an eighth of the heap",
          NodeConfig.HEAT_MEMORY,
          wanted,
          most);
    }
    return Math.min(wanted, most);
  }

  /**
   * Whether views may show partition keys: a role that may read a view need not be one that may
   * read the tables.
   */
  public boolean showsKeys() {
    return config.showKeys() || !DatabaseDescriptor.getAuthorizer().requireAuthorization();
  }
}
