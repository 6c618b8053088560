/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.contract.EngineKillContract;
import io.kasane.engine.spi.EngineProvider;

class LmdbKillTest extends EngineKillContract {
  @Override
  protected EngineProvider provider() {
    return new LmdbProvider();
  }
}
