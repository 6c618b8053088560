/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class RocksdbEngineTest extends EngineContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new RocksdbProvider().open(options);
  }
}
