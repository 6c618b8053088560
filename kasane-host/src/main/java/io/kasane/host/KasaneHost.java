/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node as the rest of Kasane sees it: its settings and its fast directories. One instance a
 * process, made by the storage hook.
 */
public final class KasaneHost {
  private static final Logger logger = LoggerFactory.getLogger(KasaneHost.class);
  private static volatile KasaneHost instance;

  private final NodeConfig config;
  private final FastDirectories fastDirectories;
  private final DirectoryGuard guard;

  private KasaneHost(NodeConfig config) {
    this.config = config;
    this.fastDirectories = FastDirectories.open(config);
    this.guard = new DirectoryGuard(fastDirectories);
  }

  static synchronized KasaneHost start() {
    if (instance == null) {
      KasaneHost host = new KasaneHost(NodeConfig.load());
      host.guard.start();
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

  /** Where access counts are kept over restarts. */
  public Path heatDirectory() {
    return config
        .heatDirectory()
        .orElseGet(() -> Path.of(DatabaseDescriptor.getSavedCachesLocation(), "kasane"));
  }
}
