/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineTablesContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class InnodbTablesTest extends EngineTablesContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new InnodbProvider().open(options);
  }

  @Override
  protected boolean isShared() {
    return true;
  }
}
