/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What an answer of the second round means for a key.
 *
 * @param kind what to do
 * @param version what to take, if anything
 * @param marker a committed version that was not shown whole and is demanded next
 * @param refuted demands that were never written to this key
 */
record Verdict(Kind kind, Optional<Version> version, Timestamp marker, Set<Timestamp> refuted) {
  /** What to do. */
  enum Kind {
    /** Keep what is at hand. */
    KEEP,
    /** Take a demanded version, which the marker shows. */
    TAKE_COMMITTED,
    /** Take a demanded version, which is not committed here yet. */
    TAKE_PREPARED,
    /** Take a newer version than was demanded. */
    TAKE_NEWER,
    /** Demand the marker's version. */
    DEMAND_MARKER,
    /** Ask all replicas. */
    ASK_ALL,
    /** No replica knows; the store cannot say. */
    UNKNOWN,
    /** No replica has what was surely written. */
    NOWHERE
  }

  /**
   * Decides.
   *
   * <p>What may have been written and is not there was either never written, or collected, which
   * happens a whole window after something newer was committed. A get is shorter than that. So
   * where this get asked a quorum before, and what was committed was older than the demand, it was
   * never written: else a key that is written all the time would be looked at again and again. A
   * quorum that shows nothing committed says nothing of demands that may have been purged.
   *
   * @param fromAll whether all replicas were asked, not only a quorum
   * @param seenBefore what a quorum showed as committed earlier in this get, if one was asked
   * @param isNewestGone whether the newest version was looked for before, and is none: then one
   *     that was demanded is not taken where a newer one, its deletion, is committed
   * @param mayBePurged whether a demand is so old
   */
  static Verdict of(
      KeyDemands demands,
      Candidates answer,
      boolean fromAll,
      Optional<Timestamp> seenBefore,
      boolean isNewestGone,
      Predicate<Timestamp> mayBePurged) {
    Timestamp marker = answer.committed().marker();
    NavigableSet<Timestamp> wanted = demands.all();
    Optional<Timestamp> best =
        wanted.stream()
            .filter(each -> each.equals(marker) || answer.prepared().containsKey(each))
            .findFirst();
    NavigableSet<Timestamp> unmet = best.map(each -> wanted.headSet(each, false)).orElse(wanted);
    Set<Timestamp> above = new TreeSet<>(unmet);
    above.removeIf(
        each ->
            !each.isAfter(marker)
                && (mayBePurged.test(each) || !neverWritten(each, demands.possible(), seenBefore)));
    boolean overwritten = above.size() < unmet.size();
    if (!above.isEmpty() && answer.committed() instanceof Answer.Miss) {
      return new Verdict(
          fromAll ? Kind.UNKNOWN : Kind.ASK_ALL, Optional.empty(), Timestamp.NONE, Set.of());
    }
    if (above.remove(demands.certain())) {
      return new Verdict(
          fromAll ? Kind.NOWHERE : Kind.ASK_ALL, Optional.empty(), Timestamp.NONE, above);
    }
    if (overwritten || best.filter(marker::equals).isPresent()) {
      return takeMarker(answer, overwritten ? Kind.TAKE_NEWER : Kind.TAKE_COMMITTED, above);
    }
    if (isNewestGone && best.filter(marker::isAfter).isPresent()) {
      return takeMarker(answer, Kind.TAKE_NEWER, above);
    }
    if (best.isEmpty()) {
      return new Verdict(Kind.KEEP, Optional.empty(), Timestamp.NONE, above);
    }
    Version version = answer.prepared().get(best.get());
    Kind kind = marker.isAfter(best.get()) ? Kind.TAKE_COMMITTED : Kind.TAKE_PREPARED;
    return new Verdict(kind, Optional.of(version), Timestamp.NONE, above);
  }

  private static boolean neverWritten(
      Timestamp absent, Set<Timestamp> possible, Optional<Timestamp> seenBefore) {
    return possible.contains(absent) && seenBefore.filter(absent::isAfter).isPresent();
  }

  private static Verdict takeMarker(Candidates answer, Kind kind, Set<Timestamp> refuted) {
    Timestamp marker = answer.committed().marker();
    Version version =
        answer.committed() instanceof Answer.Present present
            ? present.version()
            : answer.prepared().get(marker);
    return version == null
        ? new Verdict(Kind.DEMAND_MARKER, Optional.empty(), marker, refuted)
        : new Verdict(kind, Optional.of(version), Timestamp.NONE, refuted);
  }
}
