/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.contract.EngineFullDiskContract;
import io.kasane.engine.spi.EngineProvider;

class LmdbFullDiskTest extends EngineFullDiskContract {
  @Override
  protected EngineProvider provider() {
    return new LmdbProvider();
  }
}
