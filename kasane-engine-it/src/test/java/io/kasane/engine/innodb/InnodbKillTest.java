/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineKillContract;
import io.kasane.engine.spi.EngineProvider;

class InnodbKillTest extends EngineKillContract {
  @Override
  protected EngineProvider provider() {
    return new InnodbProvider();
  }
}
