/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * Says on which tier the rows of one flush or one compaction belong. Whether the fast disk has room
 * is not its business: the writer asks the quota and falls back to slow.
 */
public interface Placement {

  /**
   * What a placement may look at.
   *
   * @param hotSet which keys are hot, as of the start of the run
   * @param fastRoomBytes what the quota leaves free on the fast disk
   * @param slowFreeBytes what is free on the slow disk
   * @param rowIsAmongHot whether the row at hand has a copy among hot rows now: on fast, or in an
   *     SSTable of hot rows on slow
   * @param random uniform in [0, 1)
   */
  record Situation(
      HotSet hotSet,
      long fastRoomBytes,
      long slowFreeBytes,
      BooleanSupplier rowIsAmongHot,
      DoubleSupplier random) {}

  /** One flush or one compaction; used by one thread. */
  interface Run {
    Tier choose(long keyId);
  }

  Run begin(Situation situation);
}
