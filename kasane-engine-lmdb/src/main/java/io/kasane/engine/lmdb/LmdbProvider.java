/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.lmdb;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;

/** Finds LMDB. */
public final class LmdbProvider implements EngineProvider {
  @Override
  public String name() {
    return "lmdb";
  }

  @Override
  public Engine open(EngineOptions options) {
    return LmdbEngine.open(options);
  }
}
