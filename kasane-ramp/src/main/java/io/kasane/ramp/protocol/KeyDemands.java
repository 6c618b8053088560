/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.util.Collections;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Versions of a key that others of the same get ask for, newer than the one at hand.
 *
 * @param certain the highest that was surely written, {@link Timestamp#NONE} where there is none
 * @param possible those above it that may have been written, highest first
 */
record KeyDemands(Timestamp certain, NavigableSet<Timestamp> possible) {
  /** Only what lies above the certain demand, since one version answers them all. */
  static KeyDemands of(Timestamp certain, Set<Timestamp> possible) {
    TreeSet<Timestamp> above = new TreeSet<>(Comparator.reverseOrder());
    possible.stream().filter(each -> each.isAfter(certain)).forEach(above::add);
    return new KeyDemands(certain, Collections.unmodifiableNavigableSet(above));
  }

  /** All of them, highest first. */
  NavigableSet<Timestamp> all() {
    TreeSet<Timestamp> all = new TreeSet<>(possible);
    if (hasCertain()) {
      all.add(certain);
    }
    return all;
  }

  boolean hasCertain() {
    return !certain.equals(Timestamp.NONE);
  }
}
