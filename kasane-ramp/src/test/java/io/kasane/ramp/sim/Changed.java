/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.time.Duration;

/** Climates and workloads with something changed, for scenarios that look for one thing. */
final class Changed {
  private Changed() {}

  /** Replicas miss much and get no hints; the first round reads one of them. No storage is lost. */
  static Climate lagging(Climate climate) {
    return new Climate(
        climate.topology(),
        0,
        0.3,
        0,
        0.1,
        10_000,
        0,
        climate.hintMicros(),
        false,
        0,
        false,
        false,
        Math.min(2, climate.nodeFaults()),
        climate.clientCrashes(),
        climate.skewMicros(),
        climate.tickMicros(),
        climate.off());
  }

  /** Replicas miss much, and their storage goes back to before, again and again. */
  static Climate decaying(Climate climate) {
    return new Climate(
        new Topology(1, 3),
        0,
        0.3,
        0,
        0.1,
        10_000,
        0,
        climate.hintMicros(),
        false,
        0,
        false,
        true,
        30,
        0,
        0,
        1,
        climate.off());
  }

  /** The same elsewhere. */
  static Climate with(Climate climate, Topology topology) {
    return new Climate(
        topology,
        climate.loss(),
        climate.drops(),
        climate.duplicates(),
        climate.slow(),
        climate.slowMicros(),
        climate.hints(),
        climate.hintMicros(),
        climate.firstRoundAtQuorum(),
        climate.misses(),
        climate.unsynced(),
        climate.stale(),
        climate.nodeFaults(),
        climate.clientCrashes(),
        climate.skewMicros(),
        climate.tickMicros(),
        climate.off());
  }

  /** Puts do not look for newer markers. */
  static Workload blind(Workload workload) {
    return new Workload(
        workload.keys(),
        workload.items(),
        workload.clients(),
        workload.operations(),
        workload.puts(),
        workload.deletions(),
        workload.rests(),
        workload.mixedModes(),
        workload.maxFloors(),
        workload.sweeps(),
        false,
        workload.gcWindow(),
        workload.gcGrace(),
        workload.maxClockDrift());
  }

  /** Clients write in all modes, delete much, and rest until what they deleted is purged. */
  static Workload purging(Workload workload) {
    return new Workload(
        3,
        0,
        workload.clients(),
        workload.operations(),
        0.4,
        0.4,
        0.25,
        true,
        workload.maxFloors(),
        workload.sweeps(),
        true,
        workload.gcWindow(),
        Duration.ofMillis(1_500),
        Duration.ofSeconds(25));
  }

  /** Clients write to six keys, and rest until what is left is old enough to be cleared. */
  static Workload resting(Workload workload) {
    return new Workload(
        6,
        0,
        workload.clients(),
        workload.operations(),
        0.5,
        0.15,
        0.15,
        workload.mixedModes(),
        workload.maxFloors(),
        workload.sweeps(),
        true,
        workload.gcWindow(),
        Duration.ofMillis(1_500),
        Duration.ofSeconds(25));
  }

  /** Sessions remember one key. */
  static Workload forgetful(Workload workload) {
    return new Workload(
        workload.keys(),
        workload.items(),
        workload.clients(),
        workload.operations(),
        workload.puts(),
        workload.deletions(),
        0,
        workload.mixedModes(),
        1,
        workload.sweeps(),
        true,
        workload.gcWindow(),
        workload.gcGrace(),
        workload.maxClockDrift());
  }

  /** Clients write seldom, so that what is lost is not overwritten soon. */
  static Workload seldom(Workload workload) {
    return new Workload(
        workload.keys(),
        0,
        2,
        workload.operations(),
        0.3,
        0,
        0,
        false,
        100,
        false,
        true,
        workload.gcWindow(),
        workload.gcGrace(),
        workload.maxClockDrift());
  }

  /** Clients write in all modes, to two keys, and nothing is deleted for good. */
  static Workload mixed(Workload workload) {
    return new Workload(
        2,
        0,
        workload.clients(),
        workload.operations(),
        0.5,
        workload.deletions(),
        0,
        true,
        workload.maxFloors(),
        workload.sweeps(),
        workload.checkMarkers(),
        workload.gcWindow(),
        workload.gcGrace(),
        workload.maxClockDrift());
  }
}
