/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import io.kasane.arena.ArenaFolder;
import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaReader;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A store whose first rounds are answered from the arenas of nodes on this host, as those nodes
 * alone would answer them. Thread-safe.
 */
public final class ArenaStore extends FirstRounds {
  private final List<ArenaFolder> folders;
  private final int needed;
  private final String keyspace;

  /**
   * A store over another one.
   *
   * @param tableIds tells which table of a name there is now
   * @param directories where nodes of this host have their arenas, of each its own
   * @param needed how many arenas must have a key, from 1 to all: the newest version is taken
   */
  public ArenaStore(
      TableStore beneath,
      Function<String, CompletionStage<UUID>> tableIds,
      List<Path> directories,
      int needed,
      String keyspace) {
    super(beneath, tableIds);
    if (needed < 1 || needed > directories.size()) {
      throw new IllegalArgumentException(
          "arenas: "
              + needed
              + " of "
              + directories.size()
              + " directories must have a key; name from 1 to all of them");
    }
    this.needed = needed;
    this.keyspace = keyspace;
    this.folders = directories.stream().map(ArenaFolder::new).toList();
  }

  private String nameOf(String table) {
    return keyspace + "." + table;
  }

  @Override
  void watch(String table, UUID id) {
    folders.forEach(folder -> folder.watch(nameOf(table), id));
  }

  @Override
  CompletionStage<Answer[]> shown(List<ItemKey> keys) {
    Answer[] answers = new Answer[keys.size()];
    for (int i = 0; i < answers.length; i++) {
      answers[i] = isInArenas(keys.get(i)) ? read(keys.get(i)) : null;
    }
    return CompletableFuture.completedStage(answers);
  }

  private Answer read(ItemKey key) {
    ArenaKey wanted = ArenaKey.of(key.partition().toBuffer(), key.item().toBuffer());
    LongAdder cause = metrics().withoutArena;
    Version newest = null;
    int found = 0;
    for (ArenaFolder folder : folders) {
      ArenaReader arena = folder.of(nameOf(key.table()));
      if (arena == null) {
        continue;
      }
      ArenaReader.Answer answer = arena.get(wanted);
      if (answer.outcome() != ArenaReader.Outcome.HIT) {
        cause = causeOf(answer.outcome());
        continue;
      }
      Optional<Version> version = decoded(answer);
      if (version.isEmpty()) {
        cause = metrics().corrupt;
        continue;
      }
      boolean isNewer = newest == null || version.get().timestamp().isAfter(newest.timestamp());
      newest = isNewer ? version.get() : newest;
      if (++found == needed) {
        return hit(key, newest);
      }
    }
    cause.increment();
    return null;
  }

  @Override
  public void close() {
    folders.forEach(ArenaFolder::close);
  }
}
