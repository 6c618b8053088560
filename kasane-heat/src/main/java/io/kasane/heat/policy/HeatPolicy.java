/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.track.HeatSnapshot;

/**
 * Draws the line between hot and cold. A policy has no clock. It may remember what it chose last,
 * so that keys at the line do not change sides with every count. Implementations are safe to call
 * from several threads.
 */
public interface HeatPolicy {

  /** Chooses the hot keys of this snapshot. */
  HotSet select(HeatSnapshot heat);

  /** The name under which users choose this policy, for example {@code budget}. */
  String name();

  /** Called about once a second, by one thread: it may look at what it goes by. */
  default void tick() {}

  /** Nobody asks it any more: it gives back what it holds. */
  default void close() {}
}
