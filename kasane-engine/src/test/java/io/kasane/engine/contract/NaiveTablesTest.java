/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.contract;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

/** The oracle owes what all engines owe. */
class NaiveTablesTest extends EngineTablesContract {
  private final NaiveProvider provider = new NaiveProvider(1_000);

  @Override
  protected Engine open(EngineOptions options) {
    return provider.open(options);
  }
}
