/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineKillContract;
import io.kasane.engine.spi.EngineProvider;

class RedisKillTest extends EngineKillContract {
  @Override
  protected EngineProvider provider() {
    return new RedisProvider();
  }
}
