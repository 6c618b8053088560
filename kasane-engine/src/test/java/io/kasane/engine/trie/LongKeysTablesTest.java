/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.contract.EngineTablesContract;
import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

/** Layers come and go with their table. */
class LongKeysTablesTest extends EngineTablesContract {
  private final NaiveProvider provider = new NaiveProvider(LongKeyEngine.MIN_KEY_BYTES);

  @Override
  protected Engine open(EngineOptions options) {
    return new LongKeyEngine(provider.open(options));
  }
}
