/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import org.junit.jupiter.api.Tag;

/**
 * Starts a server, or two, for each of 131 cases: what is in verify besides it meets most of them.
 */
@Tag("long")
class RedisEngineTest extends EngineContract {
  @Override
  protected Engine open(EngineOptions options) {
    return new RedisProvider().open(options);
  }
}
