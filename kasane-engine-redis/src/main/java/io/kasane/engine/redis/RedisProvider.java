/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import java.time.Duration;

/** Finds Redis. */
public final class RedisProvider implements EngineProvider {
  /** Less than what a read may wait for before its engine is out. */
  private static final Duration MAX_CALL = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public int serverPort() {
    return 6379;
  }

  @Override
  public Engine open(EngineOptions options) {
    return RedisEngine.open(() -> RedisExecutable.find(options.directory()), options, MAX_CALL);
  }
}
