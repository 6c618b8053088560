/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;

/** Finds RocksDB. */
public final class RocksdbProvider implements EngineProvider {
  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public Engine open(EngineOptions options) {
    return RocksdbEngine.open(options);
  }
}
