/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.store.ItemPage;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One replica in memory, which never fails, for unit tests of applications: {@code
 * RampSession.over(new MemoryVersionStore())}. Everything is done on the caller's thread by the
 * time that a method returns, and is gone with the object.
 *
 * <p>Sessions over it follow the protocol as they do on Cassandra: two threads see each other's
 * transactions whole or not at all, and lost updates are as possible as there. What a cluster does
 * to them, replicas that fail, lag or forget, it does not show by itself: a subclass may override
 * methods, which do not call each other, and have them fail with a {@link
 * io.kasane.ramp.store.StoreException}.
 *
 * <p>Thread-safe: one lock for all, held for no longer than one key's or one partition's look
 * takes.
 */
public class MemoryVersionStore implements TableStore {
  /** Cassandra's own rule. */
  private static final Pattern TABLE_NAME = Pattern.compile("\\w{1,48}");

  /** Ordered by table, then by partition: what belongs together lies together. */
  private final NavigableMap<ItemKey, KeyVersions> keys = new TreeMap<>();

  /** An empty store. */
  public MemoryVersionStore() {}

  /**
   * Makes a table unless it is there.
   *
   * @return a stage that fails with {@link IllegalArgumentException} if Cassandra would not have
   *     such a name
   */
  @Override
  public CompletionStage<Void> open(String table) {
    return TABLE_NAME.matcher(table).matches()
        ? CompletableFuture.completedStage(null)
        : CompletableFuture.failedStage(
            new IllegalArgumentException(
                "Cassandra has no tables named '"
                    + table
                    + "': 1 to 48 letters of ASCII, digits and underscores are possible"));
  }

  /** As they are when it is called. */
  @Override
  public synchronized Stream<Bytes> partitions(String table) {
    return keys.tailMap(new ItemKey(table, Bytes.EMPTY)).keySet().stream()
        .takeWhile(key -> key.table().equals(table))
        .map(ItemKey::partition)
        .distinct()
        .toList()
        .stream();
  }

  /** There is one replica, so every read is a quorum. */
  @Override
  public boolean isQuorum(Strength strength) {
    return true;
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    return done(() -> keys.stream().map(key -> look(key).committed()).toList());
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    return done(
        () ->
            queries.stream()
                .map(query -> look(query.key()).candidates(query.timestamps()))
                .toList());
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return done(
        () -> {
          Map<ItemKey, Version> listed = new HashMap<>();
          items(wanted.table(), wanted.partition())
              .forEach(
                  item -> item.getValue().listed().ifPresent(v -> listed.put(item.getKey(), v)));
          return ItemPage.of(wanted, listed, Optional.empty());
        });
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return write(writes, KeyVersions::prepare);
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    return write(writes, KeyVersions::commit);
  }

  @Override
  public CompletionStage<Void> collect(Write committed) {
    return write(List.of(committed), KeyVersions::collect);
  }

  /** Nothing: all is done at one moment. */
  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return done(
        () -> {
          items(table, partition).forEach(item -> item.getValue().sweep());
          return null;
        });
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return forget(key, versions -> versions.purge(deletion));
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return forget(key, versions -> versions.drop(prepared));
  }

  private CompletionStage<Void> forget(ItemKey key, Consumer<KeyVersions> change) {
    return done(
        () -> {
          keys.computeIfPresent(
              key,
              (same, versions) -> {
                change.accept(versions);
                return versions.isEmpty() ? null : versions;
              });
          return null;
        });
  }

  private CompletionStage<Void> write(
      Collection<Write> writes, BiConsumer<KeyVersions, Version> change) {
    return done(
        () -> {
          writes.forEach(
              write ->
                  change.accept(
                      keys.computeIfAbsent(write.key(), key -> new KeyVersions()),
                      write.version()));
          return null;
        });
  }

  /** Completed outside of the lock, so that nobody's continuation runs within it. */
  private <T> CompletionStage<T> done(Supplier<T> work) {
    T result;
    synchronized (this) {
      result = work.get();
    }
    return CompletableFuture.completedFuture(result);
  }

  private Stream<Map.Entry<ItemKey, KeyVersions>> items(String table, Bytes partition) {
    return keys.tailMap(new ItemKey(table, partition)).entrySet().stream()
        .takeWhile(
            item ->
                item.getKey().table().equals(table) && item.getKey().partition().equals(partition));
  }

  /** The versions of a key; none where it was never written. */
  private KeyVersions look(ItemKey key) {
    return keys.getOrDefault(key, new KeyVersions());
  }
}
