/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Demand;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a get, or all gets of a read transaction, have seen so far, and what that demands. Knows no
 * store. For one thread after the other.
 *
 * <p>Source: Bailis et al., SIGMOD 2014, algorithms 1 to 3: the second round of all three modes is
 * the demands that versions make on other keys, certain where siblings are named, else possible.
 */
final class Gathered {
  private final Covered wanted = new Covered();
  private final Map<ItemRange, Optional<Bytes>> nexts = new HashMap<>();
  private final Map<ItemKey, Version> chosen = new HashMap<>();
  private final Map<ItemKey, Timestamp> floors = new HashMap<>();
  private final Map<ItemKey, Set<Timestamp>> refuted = new HashMap<>();
  private final Map<ItemKey, Timestamp> purged = new HashMap<>();
  private final Map<ItemKey, Timestamp> floorsOfDeletions = new HashMap<>();
  private final Map<ItemKey, Timestamp> seenAtQuorum = new HashMap<>();
  private final Map<ItemKey, Timestamp> settled = new HashMap<>();
  private final Covered complete = new Covered();
  private final Covered newest = new Covered();
  private final Set<ItemKey> forAll = new HashSet<>();
  private final Set<Timestamp> doubted = new HashSet<>();

  /** Adds to what must be seen together. */
  void want(Set<ItemKey> keys) {
    wanted.add(keys);
  }

  /**
   * Adds to what must be seen together, as far as it was read.
   *
   * @param quorum whether a quorum showed all of it that is not deleted
   * @param isNewest whether it was asked for what is newest, be that of one data centre
   */
  void want(ItemRange range, Optional<Bytes> next, boolean quorum, boolean isNewest) {
    nexts.put(range, next);
    wanted.add(range.upTo(next));
    if (quorum || isNewest) {
      newest.add(range.upTo(next));
    }
    if (quorum) {
      complete.add(range.upTo(next));
    }
  }

  /** Whether the key is among what must be seen together. */
  boolean wants(ItemKey key) {
    return wanted.has(key);
  }

  boolean wants(ItemRange range) {
    return nexts.containsKey(range);
  }

  /** Ranges that are seen together, with the first item of each that was not read. */
  Map<ItemRange, Optional<Bytes>> nexts() {
    return nexts;
  }

  /** What is not yet among what must be seen together. */
  ReadSet missingOf(ReadSet more) {
    return new ReadSet(
        more.keys().stream().filter(key -> !wants(key)).collect(Collectors.toSet()),
        more.ranges().stream().filter(range -> !wants(range)).collect(Collectors.toSet()));
  }

  /** Nothing below this is good enough for the key, if it is wanted. */
  void floor(ItemKey key, Timestamp timestamp) {
    floors.merge(key, timestamp, Timestamp::max);
  }

  /** What the floor of the key stands for deleted it. */
  void deleted(ItemKey key, Timestamp timestamp) {
    floorsOfDeletions.put(key, timestamp);
  }

  /** Takes a version unless the one at hand is newer. */
  void take(ItemKey key, Version version) {
    chosen.merge(
        key, version, (old, fresh) -> fresh.timestamp().isAfter(old.timestamp()) ? fresh : old);
    forAll.remove(key);
  }

  /** A quorum showed this as committed; what it showed first counts. */
  void seenAtQuorum(ItemKey key, Timestamp marker) {
    seenAtQuorum.putIfAbsent(key, marker);
  }

  /** What the first quorum that was asked showed as committed. */
  Optional<Timestamp> seenAtQuorum(ItemKey key) {
    return Optional.ofNullable(seenAtQuorum.get(key));
  }

  /** Every later read from a quorum shows this as committed, or something higher. */
  void settled(ItemKey key, Timestamp marker) {
    settled.merge(key, marker, Timestamp::max);
  }

  /** Whether no later read from a quorum can show less than is at hand. */
  boolean isSettled(ItemKey key) {
    return !at(key).isAfter(settled.getOrDefault(key, Timestamp.NONE));
  }

  /** These transactions did not write the key. */
  void refute(ItemKey key, Set<Timestamp> timestamps) {
    if (!timestamps.isEmpty()) {
      refuted.computeIfAbsent(key, k -> new HashSet<>()).addAll(timestamps);
    }
  }

  /** What was written to the key up to then was deleted, and is forgotten. */
  void purged(ItemKey key, Timestamp upTo) {
    purged.merge(key, upTo, Timestamp::max);
    chosen.remove(key);
    forAll.remove(key);
  }

  /** Keys that were found to be deleted long ago, and up to when. */
  Map<ItemKey, Timestamp> purged() {
    return purged;
  }

  /** The next look at the key is at all replicas. */
  void askAll(ItemKey key) {
    forAll.add(key);
  }

  boolean isForAll(ItemKey key) {
    return forAll.contains(key);
  }

  /** The versions at hand. */
  Map<ItemKey, Version> chosen() {
    return chosen;
  }

  /** What is seen of each key, deletions of which only others tell among it. */
  Map<ItemKey, Version> seen() {
    Map<ItemKey, Version> deleted = deleted();
    if (deleted.isEmpty()) {
      return Map.copyOf(chosen);
    }
    Map<ItemKey, Version> seen = new HashMap<>(deleted);
    seen.putAll(chosen);
    return seen;
  }

  /** The timestamp at hand. */
  Timestamp at(ItemKey key) {
    Version version = chosen.get(key);
    return version == null ? Timestamp.NONE : version.timestamp();
  }

  /**
   * Deletions of keys of which a quorum showed no version, as others tell of them. They meet a
   * demand, and may be where reads do not look for them, or be forgotten. Where an older version is
   * at hand they do not: whoever sees that version later must see the deletion.
   */
  Map<ItemKey, Version> deleted() {
    if (floorsOfDeletions.isEmpty() && !tellsOfDeletions()) {
      return Map.of();
    }
    Map<ItemKey, Version> deleted = new HashMap<>();
    floorsOfDeletions.forEach((key, floor) -> addTo(deleted, key, floor, new UnknownSiblings()));
    for (Version version : transactions().values()) {
      for (ItemKey name : version.siblings().deleted()) {
        addTo(deleted, name, version.timestamp(), version.siblings());
      }
    }
    return deleted;
  }

  private boolean tellsOfDeletions() {
    for (Version version : chosen.values()) {
      if (!version.siblings().deleted().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private void addTo(
      Map<ItemKey, Version> deleted, ItemKey key, Timestamp timestamp, Siblings siblings) {
    if (isAbsent(key)
        && !chosen.containsKey(key)
        && timestamp.isAfter(purged.getOrDefault(key, Timestamp.NONE))) {
      deleted.merge(
          key,
          new Version(timestamp, siblings, Optional.empty()),
          (one, other) -> one.timestamp().isAfter(other.timestamp()) ? one : other);
    }
  }

  private boolean isAbsent(ItemKey key) {
    return wanted.keys().contains(key)
        ? Timestamp.NONE.equals(settled.get(key))
        : complete.hasInRange(key);
  }

  /** Whether replicas that were asked for the newest had no version of it: it may be deleted. */
  boolean isMissingAmongNewest(ItemKey key) {
    return newest.hasInRange(key) && !chosen.containsKey(key);
  }

  /** All keys whose version at hand is not good enough, or may not be. */
  Map<ItemKey, KeyDemands> unmet() {
    Map<ItemKey, Timestamp> certain = new HashMap<>();
    Map<ItemKey, Set<Timestamp>> possible = new HashMap<>();
    Map<ItemKey, Version> deleted = deleted();
    floors.forEach(
        (key, floor) -> {
          if (wants(key)) {
            demand(key, floor, deleted, certain);
          }
        });
    for (Version version : transactions().values()) {
      if (version.siblings().mode() == Mode.FAST) {
        for (ItemKey name : version.siblings().names()) {
          if (wants(name)) {
            demand(name, version.timestamp(), deleted, certain);
          }
        }
      } else {
        demandPossible(version, possible);
      }
    }
    if (certain.isEmpty() && possible.isEmpty()) {
      return Map.of();
    }
    Map<ItemKey, KeyDemands> unmet = new HashMap<>();
    Set<ItemKey> demanded = new HashSet<>(certain.keySet());
    demanded.addAll(possible.keySet());
    for (ItemKey key : demanded) {
      unmet.put(
          key,
          KeyDemands.of(
              certain.getOrDefault(key, Timestamp.NONE), possible.getOrDefault(key, Set.of())));
    }
    return unmet;
  }

  /** Of the transaction's keys, as far as they are known by name, all but this one. */
  Set<ItemKey> siblingsOf(ItemKey key, Timestamp timestamp) {
    Set<ItemKey> names = new HashSet<>();
    chosen.forEach(
        (other, version) -> {
          if (version.timestamp().equals(timestamp)) {
            names.add(other);
            names.addAll(version.siblings().names());
          }
        });
    names.remove(key);
    return names;
  }

  /** The keys whose version at hand is of this transaction. */
  List<ItemKey> writtenBy(Timestamp timestamp) {
    return chosen.keySet().stream().filter(key -> at(key).equals(timestamp)).sorted().toList();
  }

  /** True once: then those who demand what is nowhere are looked at again. */
  boolean doubt(Timestamp timestamp) {
    return doubted.add(timestamp);
  }

  /** One version of each transaction: its versions all say the same of their siblings. */
  private Map<Timestamp, Version> transactions() {
    Map<Timestamp, Version> transactions = new HashMap<>();
    chosen.values().forEach(version -> transactions.putIfAbsent(version.timestamp(), version));
    return transactions;
  }

  private void demand(
      ItemKey key,
      Timestamp timestamp,
      Map<ItemKey, Version> deleted,
      Map<ItemKey, Timestamp> certain) {
    Version deletion = deleted.get(key);
    if (isUnmet(key, timestamp) && (deletion == null || timestamp.isAfter(deletion.timestamp()))) {
      certain.merge(key, timestamp, Timestamp::max);
    }
  }

  /** Only on single items: transactions that write items of collections always name their keys. */
  private void demandPossible(Version version, Map<ItemKey, Set<Timestamp>> possible) {
    Timestamp timestamp = version.timestamp();
    for (ItemKey key : wanted.keys()) {
      if (key.item().length() == 0
          && isUnmet(key, timestamp)
          && version.siblings().demandOn(key) != Demand.NONE) {
        possible.computeIfAbsent(key, k -> new HashSet<>()).add(timestamp);
      }
    }
  }

  private boolean isUnmet(ItemKey key, Timestamp timestamp) {
    return timestamp.isAfter(at(key))
        && timestamp.isAfter(purged.getOrDefault(key, Timestamp.NONE))
        && !refuted.getOrDefault(key, Set.of()).contains(timestamp);
  }
}
