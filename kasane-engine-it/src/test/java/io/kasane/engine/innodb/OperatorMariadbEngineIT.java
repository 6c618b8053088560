/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineContract;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, in a schema of a server that an operator runs. */
@Tag("long")
class OperatorMariadbEngineIT extends EngineContract {
  private static OperatedMariadb server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    server = OperatedMariadb.start(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Override
  protected Engine open(EngineOptions options) {
    String schema = "kasane_" + Integer.toHexString(options.directory().hashCode());
    return new InnodbProvider().open(server.at(options, schema));
  }

  @Override
  protected boolean isShared() {
    return true;
  }
}
