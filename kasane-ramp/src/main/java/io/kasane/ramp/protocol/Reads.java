/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.VersionStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the store, round by round, until all demands are met. Thread-safe. */
final class Reads {
  private final VersionStore store;
  private final RampOptions options;
  private final Environment environment;
  private final Set<Rule> rules;
  private final RampStatistics statistics;
  private final Completions completions;
  private final Sweeper sweeper;

  Reads(
      VersionStore store,
      RampOptions options,
      Environment environment,
      Set<Rule> rules,
      RampStatistics statistics,
      Completions completions,
      Sweeper sweeper) {
    this.store = store;
    this.options = options;
    this.environment = environment;
    this.rules = rules;
    this.statistics = statistics;
    this.completions = completions;
    this.sweeper = sweeper;
  }

  /**
   * Sees what is wanted together with what was gathered before.
   *
   * @param wanted nothing that is gathered already
   * @param first how many replicas the first round asks
   * @return the number of rounds
   */
  CompletionStage<Integer> run(
      Gathered gathered, ReadSet wanted, Strength first, Deadlines.Expiry expiry) {
    statistics.gets.increment();
    statistics.rounds.increment();
    List<ItemKey> keys = ReadSet.inOrder(wanted.keys());
    CompletionStage<Void> seen = committed(gathered, keys, first);
    for (ItemRange range : inOrder(wanted.ranges())) {
      seen =
          seen.thenCombine(
              store.readItems(range, first),
              (nothing, page) -> {
                take(gathered, range, page, first);
                return null;
              });
    }
    gathered.want(wanted.keys());
    return seen.thenCompose(nothing -> nextRound(gathered, 1, false, expiry));
  }

  /** Who reads part of a collection cannot tell whether it is worth a sweep. */
  private void take(Gathered gathered, ItemRange range, ItemPage page, Strength strength) {
    boolean quorum = store.isQuorum(strength);
    gathered.want(range, page.next(), quorum, strength != Strength.FIRST_ROUND);
    page.versions().forEach(gathered::take);
    if (quorum) {
      page.versions().forEach((key, item) -> gathered.settled(key, item.timestamp()));
    }
    if (range.isWhole()) {
      sweeper.seen(CollectionKey.of(range), page.versions());
    }
  }

  private CompletionStage<Void> committed(
      Gathered gathered, List<ItemKey> keys, Strength strength) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return store
        .readCommitted(keys, strength)
        .thenCompose(
            answers -> {
              List<ItemKey> missed = new ArrayList<>();
              for (int index = 0; index < keys.size(); index++) {
                ItemKey key = keys.get(index);
                Answer answer = answers.get(index);
                noteQuorum(gathered, key, strength, answer);
                if (answer instanceof Answer.Present present) {
                  gathered.take(key, present.version());
                } else if (answer instanceof Answer.MarkerOnly marker) {
                  gathered.floor(key, marker.timestamp());
                } else if (answer instanceof Answer.Miss) {
                  missed.add(key);
                }
              }
              return missed.isEmpty()
                  ? CompletableFuture.<Void>completedFuture(null)
                  : committed(gathered, missed, stronger(strength, missed));
            });
  }

  private void noteQuorum(Gathered gathered, ItemKey key, Strength strength, Answer committed) {
    if (store.isQuorum(strength)) {
      gathered.settled(key, committed.marker());
    }
    if (strength != Strength.FIRST_ROUND && !(committed instanceof Answer.Miss)) {
      gathered.seenAtQuorum(key, committed.marker());
    }
  }

  private CompletionStage<Integer> nextRound(
      Gathered gathered, int rounds, boolean mayStop, Deadlines.Expiry expiry) {
    expiry.check();
    gathered.deleted().forEach((key, deletion) -> forget(gathered, key, deletion.timestamp()));
    Map<ItemKey, KeyDemands> unmet = gathered.unmet();
    if (unmet.isEmpty() || mayStop) {
      return CompletableFuture.completedFuture(rounds);
    }
    if (rounds >= options.maxRounds()) {
      throw new ContendedException(
          "keys were overwritten while they were read, "
              + rounds
              + " times in a row (maxRounds): "
              + unmet.keySet(),
          rounds);
    }
    statistics.rounds.increment();
    if (rounds == 1) {
      statistics.secondRounds.increment();
    }
    List<ItemKey> fromQuorum = unmet.keySet().stream().filter(k -> !gathered.isForAll(k)).toList();
    List<ItemKey> fromAll = unmet.keySet().stream().filter(gathered::isForAll).toList();
    Strength quorum =
        rules.contains(Rule.SECOND_ROUND_AT_QUORUM) ? Strength.QUORUM : Strength.FIRST_ROUND;
    statistics.readsAtAll.add(fromAll.size());
    Round round = new Round(gathered, unmet);
    return ask(round, fromQuorum, quorum)
        .thenCombine(ask(round, fromAll, Strength.ALL), (one, other) -> null)
        .thenCompose(
            nothing -> {
              expiry.check();
              return round.repair();
            })
        .thenCompose(
            nothing -> {
              completions.complete(round.toComplete);
              boolean stop = round.newer && !rules.contains(Rule.CHECK_AGAIN_AFTER_NEWER_MARKER);
              statistics.loops.add(round.newer ? 1 : 0);
              return nextRound(gathered, rounds + 1, stop, expiry);
            });
  }

  private void forget(Gathered gathered, ItemKey key, Timestamp deletion) {
    if (isPastGrace(deletion)) {
      gathered.purged(key, deletion);
    }
  }

  private boolean isPastGrace(Timestamp timestamp) {
    long ageMicros = environment.wallMicros() - timestamp.micros();
    return ageMicros > options.gcGrace().toNanos() / 1000;
  }

  private CompletionStage<List<Candidates>> ask(
      Round round, List<ItemKey> keys, Strength strength) {
    if (keys.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    List<ItemKey> inOrder = ReadSet.inOrder(keys);
    List<CandidateQuery> queries =
        inOrder.stream().map(key -> new CandidateQuery(key, round.sought(key, strength))).toList();
    return store
        .readCandidates(queries, strength)
        .thenApply(
            answers -> {
              for (int index = 0; index < inOrder.size(); index++) {
                round.answers.add(new Look(inOrder.get(index), answers.get(index), strength));
              }
              return answers;
            });
  }

  /** Always the same order, so that a simulation is repeated by its seed. */
  private static List<ItemRange> inOrder(Set<ItemRange> ranges) {
    return ranges.stream()
        .sorted(
            Comparator.comparing(ItemRange::table)
                .thenComparing(ItemRange::partition)
                .thenComparing(ItemRange::from)
                .thenComparing(range -> range.before().orElse(Bytes.EMPTY))
                .thenComparing(ItemRange::limit))
        .toList();
  }

  private static Strength stronger(Strength strength, List<ItemKey> keys) {
    return switch (strength) {
      case FIRST_ROUND -> Strength.QUORUM;
      case QUORUM -> Strength.ALL;
      case ALL -> throw UnavailableException.unknown(keys);
    };
  }

  /** An answer of the store. */
  private record Look(ItemKey key, Candidates answer, Strength strength) {
    boolean fromAll() {
      return strength == Strength.ALL;
    }
  }

  /** One round after the first, over all keys that have demands. */
  private final class Round {
    private final Gathered gathered;
    private final Map<ItemKey, KeyDemands> unmet;
    private final List<Look> answers = Collections.synchronizedList(new ArrayList<>());
    private final List<Write> toRepair = new ArrayList<>();
    private final List<Write> toComplete = new ArrayList<>();
    private final Set<ItemKey> inDoubt = new HashSet<>();
    private boolean newer;

    Round(Gathered gathered, Map<ItemKey, KeyDemands> unmet) {
      this.gathered = gathered;
      this.unmet = unmet;
    }

    /** Judges the answers, and prepares again what is at too few replicas. */
    CompletionStage<Void> repair() {
      answers.forEach(this::judge);
      CompletionStage<Void> lookedAgain =
          committed(gathered, ReadSet.inOrder(inDoubt), Strength.ALL);
      if (toRepair.isEmpty()) {
        return lookedAgain;
      }
      statistics.repairs.add(toRepair.size());
      return lookedAgain.thenCombine(store.prepare(toRepair), (one, other) -> null);
    }

    private void judge(Look look) {
      ItemKey key = look.key();
      KeyDemands demands = unmet.get(key);
      Verdict verdict =
          Verdict.of(
              demands,
              look.answer(),
              look.fromAll(),
              gathered.seenAtQuorum(key),
              gathered.isMissingAmongNewest(key),
              Reads.this::isPastGrace);
      noteQuorum(gathered, key, look.strength(), look.answer().committed());
      Optional<Timestamp> purge = purgeAbove(look, verdict);
      if (purge.isPresent() && !look.fromAll()) {
        gathered.askAll(key);
        return;
      }
      switch (verdict.kind()) {
        case KEEP -> purge.ifPresent(upTo -> gathered.purged(key, upTo));
        case TAKE_COMMITTED -> takeCommitted(look, verdict.version().orElseThrow());
        case TAKE_PREPARED -> {
          Write write = new Write(key, verdict.version().orElseThrow());
          gathered.take(key, write.version());
          toComplete.add(write);
          if (look.fromAll()) {
            toRepair.add(write);
          }
        }
        case TAKE_NEWER -> {
          newer = true;
          takeCommitted(look, verdict.version().orElseThrow());
        }
        case DEMAND_MARKER -> {
          newer = true;
          gathered.floor(key, verdict.marker());
        }
        case ASK_ALL -> askAll(key, demands);
        case UNKNOWN -> throw UnavailableException.unknown(key);
        case NOWHERE -> nowhere(key, demands.certain());
      }
      if (verdict.kind() != Verdict.Kind.ASK_ALL) {
        gathered.refute(key, verdict.refuted());
        statistics.falsePositives.add(verdict.refuted().size());
      }
    }

    /** Of all replicas it is also asked whether they still have what is at hand. */
    private NavigableSet<Timestamp> sought(ItemKey key, Strength strength) {
      NavigableSet<Timestamp> sought = unmet.get(key).all();
      if (strength == Strength.ALL && gathered.chosen().containsKey(key)) {
        sought.add(gathered.at(key));
      }
      return sought;
    }

    /**
     * A demand that may be of a purged deletion, if the version below it may be gone, too: it is
     * not committed here, and was shown by a replica that missed the purge, or part of it.
     */
    private Optional<Timestamp> purgeAbove(Look look, Verdict verdict) {
      Optional<Timestamp> none = Optional.empty();
      Optional<Timestamp> below =
          switch (verdict.kind()) {
            case KEEP -> Optional.of(gathered.at(look.key()));
            case TAKE_PREPARED -> verdict.version().map(Version::timestamp);
            default -> none;
          };
      return below.filter(timestamp -> !isThere(look, timestamp)).isEmpty()
          ? none
          : verdict.refuted().stream()
              .filter(Reads.this::isPastGrace)
              .max(Comparator.naturalOrder());
    }

    /** A prepared version counts if all replicas together have it. */
    private boolean isThere(Look look, Timestamp timestamp) {
      return !timestamp.isAfter(look.answer().committed().marker())
          || (look.fromAll() && look.answer().prepared().containsKey(timestamp));
    }

    /** What a quorum did not have is made to be there. */
    private void takeCommitted(Look look, Version version) {
      gathered.take(look.key(), version);
      if (look.fromAll()) {
        toComplete.add(new Write(look.key(), version));
      }
    }

    private void askAll(ItemKey key, KeyDemands demands) {
      if (rules.contains(Rule.ESCALATE_TO_ALL)) {
        gathered.askAll(key);
      } else {
        gathered.refute(key, demands.all());
      }
    }

    /**
     * A deletion that is purged leaves nothing, and so does storage that was lost. Who demands what
     * is lost may be overwritten, by healing above all, at replicas that the first round did not
     * ask.
     */
    private void nowhere(ItemKey key, Timestamp demanded) {
      if (isPastGrace(demanded)) {
        gathered.purged(key, demanded);
        return;
      }
      List<ItemKey> demanding = gathered.writtenBy(demanded);
      boolean mayBeOverwritten =
          !demanding.isEmpty() && (gathered.doubt(demanded) || inDoubt.containsAll(demanding));
      if (!mayBeOverwritten) {
        throw new LostVersionException(demanded, Set.of(key), gathered.siblingsOf(key, demanded));
      }
      inDoubt.addAll(demanding);
    }
  }
}
