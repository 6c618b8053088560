/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class InnodbEngineTest extends EngineContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new InnodbProvider().open(options);
  }

  @Override
  protected boolean isShared() {
    return true;
  }
}
