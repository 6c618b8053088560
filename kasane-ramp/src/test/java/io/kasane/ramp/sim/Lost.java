/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.ItemKey;

/** Judges whether what a client calls lost was lost by a fault of storage, and not by us. */
final class Lost {
  /** What a replica got less long ago, the read may have come too early for. */
  private static final long READ_MICROS = 150_000;

  private Lost() {}

  static void judge(World world, LostVersionException lost) {
    if (!world.climate().mayLose()) {
      world.findings().add("LOST VERSION without loss: " + lost);
    }
    for (ItemKey key : lost.lost()) {
      for (Node node : world.cluster().nodes()) {
        if (node.mustHave(key, lost.timestamp(), READ_MICROS)) {
          world
              .findings()
              .add("LOST VERSION that no fault took from " + node + ": " + key + " " + lost);
        }
      }
    }
  }
}
