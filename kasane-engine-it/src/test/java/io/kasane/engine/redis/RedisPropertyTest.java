/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineProperties;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class RedisPropertyTest extends EngineProperties {
  @Override
  protected Engine open(EngineOptions options) {
    return new RedisProvider().open(options);
  }

  @Override
  protected int[] keyLengths() {
    return new int[] {1, 2, 3, 60, 3999, 4000};
  }
}
