/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineProperties;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineOptions;

class InnodbPropertyTest extends EngineProperties {
  @Override
  protected Engine open(EngineOptions options) {
    return new InnodbProvider().open(options);
  }

  @Override
  protected int[] keyLengths() {
    return new int[] {1, 2, 3, 60, 3071, 3072};
  }
}
