/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import io.kasane.copies.skipindex.SkipIndexRecords.Replay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that {@link SkipIndex} knows at a moment, to be written to a log, and what a log says after a
 * restart.
 *
 * @param rows tokens by slow SSTable
 * @param homes SSTables that hold them
 * @param sourcesByCopy the same object where sources are the same
 * @param successors of SSTables that compactions took away
 */
record SkipIndexSnapshot<S>(
    Map<S, List<SortedTokenSet>> rows,
    Set<S> homes,
    Map<S, Set<S>> sourcesByCopy,
    Map<S, Set<S>> successors) {
  private static final Logger logger = LoggerFactory.getLogger(SkipIndexSnapshot.class);

  /** Names of others are not needed any more. */
  void retain(SSTableNames<S> names) {
    names.retain(rows.keySet(), homes, sourcesByCopy, successors);
  }

  /** Returns the many sources that were written last, or null. */
  Set<S> writeTo(FileChannel to, SSTableNames<S> names) throws IOException {
    SkipIndexRecords.Writer writer = record -> SkipIndexRecords.write(to, ByteBuffer.wrap(record));
    List<String> homeNames = names.ofAll(homes);
    if (homeNames != null) { // once, before all rows: there may be thousands of both
      writer.record(SkipIndexRecords.homes(homeNames));
      for (Map.Entry<S, List<SortedTokenSet>> slow : rows.entrySet()) {
        for (SortedTokenSet run : slow.getValue()) {
          SkipIndexRecords.added(names.of(slow.getKey()), List.of(), run, writer);
        }
      }
    }
    for (Map.Entry<S, Set<S>> from : successors.entrySet()) {
      SkipIndexRecords.moved(
          names.ofAll(List.of(from.getKey())),
          names.ofAll(from.getValue()),
          SortedTokenSet.of(),
          writer);
    }
    return writeSources(names, writer);
  }

  private Set<S> writeSources(SSTableNames<S> names, SkipIndexRecords.Writer writer)
      throws IOException {
    IdentityHashMap<Set<S>, List<S>> copiesBySources = new IdentityHashMap<>();
    sourcesByCopy.forEach(
        (copy, sources) ->
            copiesBySources.computeIfAbsent(sources, s -> new ArrayList<>()).add(copy));
    Set<S> many = null;
    for (Map.Entry<Set<S>, List<S>> copies : copiesBySources.entrySet()) {
      List<String> copyNames =
          copies.getValue().stream().map(names::of).filter(Objects::nonNull).toList();
      byte[] record = SkipIndexRecords.copied(copyNames, names.ofAll(copies.getKey()));
      writer.record(record);
      if (record.length > 0 && copies.getKey().size() > SkipIndexRecords.FEW_SOURCES) {
        many = copies.getKey();
      }
    }
    return many;
  }

  /**
   * What still holds of what a log says.
   *
   * @param liveByName the live SSTables by their names; not asked if nothing was kept
   */
  static <S> SkipIndexLog.Kept<S> whatHolds(
      Replay replay, Supplier<Map<String, S>> liveByName, Path file) {
    if (replay.homes.isEmpty() && replay.sourcesByCopy.isEmpty()) {
      return new SkipIndexLog.Kept<>(Map.of(), Set.of(), Map.of());
    }
    Map<String, S> live = liveByName.get();
    Map<S, Set<S>> sourcesByCopy = new HashMap<>();
    IdentityHashMap<Set<String>, Optional<Set<S>>> found = new IdentityHashMap<>();
    replay.sourcesByCopy.forEach(
        (copy, sources) -> {
          if (live.containsKey(copy)) {
            found
                .computeIfAbsent(
                    sources,
                    s -> replay.whereAre(s, live.keySet()).map(names -> named(names, live)))
                .ifPresent(now -> sourcesByCopy.put(live.get(copy), now));
          }
        });
    Map<S, SortedTokenSet> rows = new HashMap<>();
    Set<S> homes = new HashSet<>();
    replay.whereAre(replay.homes, live.keySet()).ifPresent(now -> homes.addAll(named(now, live)));
    if (!homes.isEmpty()) {
      replay.rows.forEach(
          (slow, batches) -> {
            if (live.containsKey(slow)) {
              rows.put(live.get(slow), SortedTokenSet.union(batches));
            }
          });
    } else if (!replay.homes.isEmpty()) {
      logger.info(
          "Copies are gone that {} speaks of: it tells nothing that reads may leave out", file);
    }
    return new SkipIndexLog.Kept<>(rows, homes, sourcesByCopy);
  }

  private static <S> Set<S> named(Set<String> names, Map<String, S> live) {
    Set<S> found = new HashSet<>();
    names.forEach(name -> found.add(live.get(name)));
    return found;
  }
}
