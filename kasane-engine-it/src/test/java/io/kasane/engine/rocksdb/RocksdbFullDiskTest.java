/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rocksdb;

import io.kasane.engine.contract.EngineFullDiskContract;
import io.kasane.engine.spi.EngineProvider;

class RocksdbFullDiskTest extends EngineFullDiskContract {
  @Override
  protected EngineProvider provider() {
    return new RocksdbProvider();
  }
}
