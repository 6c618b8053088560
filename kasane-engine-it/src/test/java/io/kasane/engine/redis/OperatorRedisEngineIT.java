/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, in databases of a server that an operator runs, by TLS where it has that. */
@Tag("long")
class OperatorRedisEngineIT extends EngineContract {
  private static final Map<Path, Integer> DATABASES = new HashMap<>();
  private static OperatedRedis server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    server = OperatedRedis.start(directory, OperatorRedisTest.hasTls(directory));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  protected Engine open(EngineOptions options) {
    int database = DATABASES.computeIfAbsent(options.directory(), any -> DATABASES.size());
    return new RedisProvider()
        .open(
            new EngineOptions(
                options.directory(),
                options.capacityBytes(),
                options.memoryBytes(),
                options.durability(),
                Optional.of(server.database(database))));
  }

  @Override
  protected boolean isShared() {
    return true;
  }
}
