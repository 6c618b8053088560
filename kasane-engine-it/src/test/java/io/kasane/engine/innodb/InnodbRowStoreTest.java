/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.RowStoreProperties;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class InnodbRowStoreTest extends RowStoreProperties {
  @Override
  protected Engine open(EngineOptions options) {
    return new InnodbProvider().open(options);
  }
}
