/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.innodb;

import io.kasane.engine.contract.EngineFullDiskContract;
import io.kasane.engine.spi.EngineProvider;

class InnodbFullDiskTest extends EngineFullDiskContract {
  @Override
  protected EngineProvider provider() {
    return new InnodbProvider();
  }

  /** Its logs take what other engines need in all. */
  @Override
  protected long diskBytes() {
    return 256L << 20;
  }

  /**
   * A row of these has a page of its own, of which it takes two thirds, and logs do not shrink with
   * the disk.
   */
  @Override
  protected long leastRowBytes() {
    return diskBytes() / 4;
  }
}
