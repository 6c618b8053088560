/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineProvider;
import java.time.Duration;

/** Finds InnoDB. */
public final class InnodbProvider implements EngineProvider {
  /** Less than what a read may wait for before its engine is out. */
  private static final Duration MAX_CALL = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "innodb";
  }

  @Override
  public int serverPort() {
    return 3306;
  }

  @Override
  public Engine open(EngineOptions options) {
    return InnodbEngine.open(MariadbProgram::find, options, MAX_CALL);
  }
}
