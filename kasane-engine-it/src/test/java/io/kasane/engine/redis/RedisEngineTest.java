/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class RedisEngineTest extends EngineContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new RedisProvider().open(options);
  }

  @Override
  protected boolean isShared() {
    return true;
  }
}
