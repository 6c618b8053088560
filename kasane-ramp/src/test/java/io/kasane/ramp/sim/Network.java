/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.Arrays;

/** Carries messages: late, in any order, never, or twice. */
final class Network {
  private final EventLoop loop;
  private final Chance chance;
  private final Climate climate;
  private final boolean[][] cut;
  private boolean healed;

  Network(EventLoop loop, Chance chance, Climate climate) {
    this.loop = loop;
    this.chance = chance;
    this.climate = climate;
    this.cut = new boolean[climate.topology().nodes()][climate.topology().nodes()];
  }

  /** From now on it loses nothing. */
  void heal() {
    healed = true;
    for (boolean[] row : cut) {
      Arrays.fill(row, false);
    }
  }

  boolean isHealed() {
    return healed;
  }

  void setCut(int one, int other, boolean isCut) {
    cut[one][other] = isCut;
    cut[other][one] = isCut;
  }

  boolean isCut(Node one, Node other) {
    return cut[one.id][other.id];
  }

  long delayMicros() {
    return !healed && chance.happens(climate.slow())
        ? chance.between(1_000, climate.slowMicros())
        : chance.between(100, 1_000);
  }

  private boolean isLost() {
    return !healed && chance.happens(climate.loss());
  }

  /** From a client to a coordinator. */
  void send(ClientLink from, Node to, Runnable arrival) {
    if (from.mayStillSend() && !isLost()) {
      loop.after(
          delayMicros(),
          () -> {
            if (to.isUp()) {
              arrival.run();
            }
          });
    }
  }

  /** From a coordinator to a client. */
  void send(Node from, ClientLink to, Runnable arrival) {
    if (from.mayStillSend() && !isLost()) {
      loop.after(
          delayMicros(),
          () -> {
            if (to.isAlive()) {
              arrival.run();
            }
          });
    }
  }

  /**
   * From a node to another one, or to itself, which is at once and safe.
   *
   * @param lost runs where it does not arrive; the sender does not know
   */
  void send(Node from, Node to, Runnable arrival, Runnable lost) {
    if (!from.mayStillSend()) {
      return;
    }
    if (from == to) {
      arrival.run();
      return;
    }
    if (isCut(from, to) || isLost()) {
      lost.run();
      return;
    }
    loop.after(
        delayMicros(),
        () -> {
          if (to.isUp()) {
            arrival.run();
          } else {
            lost.run();
          }
        });
  }

  /** Whether a replica drops a mutation. */
  boolean drops() {
    return !healed && chance.happens(climate.drops());
  }

  /** Whether a mutation arrives again. */
  boolean isDuplicated() {
    return !healed && chance.happens(climate.duplicates());
  }
}
