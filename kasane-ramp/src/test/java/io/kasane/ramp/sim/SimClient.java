/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampClients;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.version.Mode;
import java.util.ArrayList;
import java.util.List;

/** A client process: the real protocol, a clock that is off, and a few sessions at once. */
final class SimClient {
  private final World world;
  private final ClientLink link;
  private final SimEnvironment environment;
  private final RampClient ramp;
  private final List<SimSession> sessions = new ArrayList<>();

  SimClient(World world, String name) {
    this.world = world;
    Chance chance = world.chance();
    Climate climate = world.climate();
    link = new ClientLink(name, chance.below(climate.topology().centres()));
    environment =
        new SimEnvironment(world.loop(), chance, link, climate.tickMicros(), drawSkew(world));
    SimStore store =
        new SimStore(
            world.loop(),
            chance,
            world.cluster(),
            link,
            world.workload().sweeps(),
            world.trace(),
            writes -> world.ledger().prepares(link, writes));
    ramp = RampClients.create(store, options(world), environment, world.rules());
    link.whenDead(() -> world.say(() -> name + " dies"));
  }

  private static long drawSkew(World world) {
    long most = world.climate().skewMicros();
    return world.chance().between(-most, most);
  }

  private static RampOptions options(World world) {
    Workload workload = world.workload();
    Chance chance = world.chance();
    Mode mode = workload.mixedModes() ? chance.oneOf(List.of(Mode.values())) : Mode.FAST;
    return RampOptions.defaults()
        .withMode(mode)
        .withFilterFalsePositives(0.5)
        .withCheckMarkers(workload.checkMarkers())
        .withMaxClockDrift(workload.maxClockDrift())
        .withDeadline(Workload.DEADLINE)
        .withGcWindow(workload.gcWindow())
        .withGcGrace(workload.gcGrace())
        .withMaxFloors(workload.maxFloors());
  }

  /** Begins sessions that share the operations. */
  void begin(int howMany, int operations, SessionNumbers numbers) {
    for (int i = 0; i < howMany; i++) {
      SimSession session = new SimSession(world, link, ramp, numbers.next());
      sessions.add(session);
      session.begin(operations / howMany);
    }
  }

  void jumpClock() {
    environment.jumpTo(drawSkew(world));
  }

  ClientLink link() {
    return link;
  }

  RampClient ramp() {
    return ramp;
  }

  List<SimSession> sessions() {
    return sessions;
  }

  /** Whether it will do nothing more. */
  boolean isDone() {
    return !link.isAlive() || sessions.stream().allMatch(SimSession::isDone);
  }

  /** Numbers sessions. */
  static final class SessionNumbers {
    private long last;

    long next() {
      return ++last;
    }
  }
}
