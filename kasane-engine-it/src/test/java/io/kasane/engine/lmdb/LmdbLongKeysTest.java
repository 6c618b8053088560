/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.trie.LongKeyEngine;

/** As Cassandra's rows need it. */
class LmdbLongKeysTest extends EngineContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new LongKeyEngine(new LmdbProvider().open(options));
  }
}
