/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.contract.RowStoreProperties;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class RowStoreTest extends RowStoreProperties {
  private final NaiveProvider provider = new NaiveProvider(100);

  @Override
  protected Engine open(EngineOptions options) {
    return provider.open(options);
  }
}
