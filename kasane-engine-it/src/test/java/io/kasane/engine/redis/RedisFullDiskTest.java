/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineFullDiskContract;
import io.kasane.engine.spi.EngineProvider;

class RedisFullDiskTest extends EngineFullDiskContract {
  @Override
  protected EngineProvider provider() {
    return new RedisProvider();
  }
}
