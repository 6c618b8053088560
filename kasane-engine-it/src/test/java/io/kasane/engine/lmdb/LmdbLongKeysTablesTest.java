/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.contract.EngineTablesContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.trie.LongKeyEngine;

/** As Cassandra's rows need it. */
class LmdbLongKeysTablesTest extends EngineTablesContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new LongKeyEngine(new LmdbProvider().open(options));
  }
}
