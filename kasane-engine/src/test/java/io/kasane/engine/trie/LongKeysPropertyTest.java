/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.trie;

import io.kasane.engine.contract.EngineProperties;
import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class LongKeysPropertyTest extends EngineProperties {
  private final NaiveProvider provider = new NaiveProvider(LongKeyEngine.MIN_KEY_BYTES);

  @Override
  protected Engine open(EngineOptions options) {
    return new LongKeyEngine(provider.open(options));
  }

  /** A layer takes 30 bytes, or 22. */
  @Override
  protected int[] keyLengths() {
    return new int[] {1, 2, 29, 30, 31, 32, 51, 52, 53, 54, 73, 74, 75, 76, 77, 300};
  }
}
