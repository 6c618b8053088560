/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.contract.EngineKillContract;
import io.kasane.engine.spi.EngineProvider;

class RocksdbKillTest extends EngineKillContract {
  @Override
  protected EngineProvider provider() {
    return new RocksdbProvider();
  }
}
