/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What one user saw and wrote, so that he never sees less: he reads his own writes, and no key goes
 * back. Thread-safe; remembers {@link RampOptions#maxFloors} keys and reads from quorums when there
 * were more.
 */
public final class Session {
  private final Floors floors;
  private final AtomicReference<CompletableFuture<Void>> settling = new AtomicReference<>();

  Session(Floors floors) {
    this.floors = floors;
  }

  /** What {@link RampClient#newSession(SessionToken)} makes this session's twin of, anywhere. */
  public SessionToken token() {
    return SessionToken.of(floors.entries(), floors.overflowed());
  }

  Floors floors() {
    return floors;
  }

  /** What settles floors just now, if anything does. */
  AtomicReference<CompletableFuture<Void>> settling() {
    return settling;
  }
}
