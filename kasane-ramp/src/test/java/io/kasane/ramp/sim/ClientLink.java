/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

/** A client process, as the network sees it. */
final class ClientLink {
  final String name;
  final int centre;
  private boolean alive = true;
  private int messagesLeft = -1;
  private Runnable atDeath = () -> {};

  ClientLink(String name, int centre) {
    this.name = name;
    this.centre = centre;
  }

  boolean isAlive() {
    return alive;
  }

  void whenDead(Runnable task) {
    atDeath = task;
  }

  void dieAfter(int messages) {
    messagesLeft = messages;
  }

  /** Whether it is still there to send a message. */
  boolean mayStillSend() {
    if (alive && messagesLeft >= 0 && messagesLeft-- == 0) {
      die();
    }
    return alive;
  }

  void die() {
    if (alive) {
      alive = false;
      atDeath.run();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
