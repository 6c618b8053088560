/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.protocol.Leftovers;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.protocol.PendingPut;
import io.kasane.ramp.protocol.RampClient;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.Session;
import io.kasane.ramp.protocol.SessionToken;
import io.kasane.ramp.protocol.TokenKey;
import io.kasane.ramp.protocol.UnfinishedPutException;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Read-atomic transactions in one keyspace: whoever reads several keys sees all or nothing of each
 * transaction that wrote them. Reads and writes never wait for each other.
 *
 * <p>A session also reads its own writes, and no key goes back for it. A process opens one with
 * {@link #open} and gives each of its users, or each request, a session of his own with {@link
 * #newSession} or {@link #resume}; these cost little and need no closing. One that is used for all
 * remembers all keys that anybody saw, and has to settle them when they are more than {@code
 * maxFloors}: {@link RampMetrics#floorsSettled} counts that.
 *
 * <p>Thread-safe. Methods that wait for data have a twin that does not, with {@code Async} at its
 * end; its stages complete on threads of the driver or on the library's timer, where methods that
 * wait are refused. Failures are the kinds of {@link io.kasane.ramp.protocol.RampException}, in
 * stages, too.
 */
public final class RampSession implements AutoCloseable {
  private final TableStore store;
  private final RampClient client;
  private final Session session;
  private final Optional<TokenKey> tokenKey;
  private final RampMetrics metrics;
  private final Runnable whenClosed;

  /** One of several sessions of a client; {@code whenClosed} closes what they share. */
  RampSession(
      TableStore store,
      RampClient client,
      Session session,
      Optional<TokenKey> tokenKey,
      RampMetrics metrics,
      Runnable whenClosed) {
    this.store = store;
    this.client = client;
    this.session = session;
    this.tokenKey = tokenKey;
    this.metrics = metrics;
    this.whenClosed = whenClosed;
  }

  /**
   * Opens a keyspace with all defaults; waits for Cassandra.
   *
   * @param session stays the caller's, who closes it after this one
   * @param keyspace exists
   */
  public static RampSession open(CqlSession session, String keyspace) {
    return builder(session, keyspace).build();
  }

  /** As {@link #open}, with choices. */
  public static RampSessionBuilder builder(CqlSession session, String keyspace) {
    return new RampSessionBuilder(session, keyspace);
  }

  /** As {@link #over(TableStore, RampOptions)}, with all defaults. */
  public static RampSession over(TableStore store) {
    return over(store, RampOptions.defaults());
  }

  /**
   * Opens a session over any store, such as one in memory for unit tests, with the protocol's
   * options. It does not wait, and compares no clock with this machine's. Stages complete on the
   * threads of the store, of which it does not know whether they may wait.
   *
   * @param store stays the caller's; a process opens it once, and makes its sessions of that one
   *     with {@link #newSession}
   */
  public static RampSession over(TableStore store, RampOptions options) {
    SystemEnvironment environment = new SystemEnvironment("store", Duration.ZERO);
    RampClient client = new RampClient(store, options, environment);
    return new RampSession(
        store,
        client,
        client.newSession(),
        Optional.empty(),
        new RampMetrics(client.statistics(), Optional.empty(), Optional.empty()),
        () -> close(client, environment));
  }

  static void close(RampClient client, SystemEnvironment environment) {
    client.close();
    environment.close();
  }

  /**
   * Opens a table, and makes it first if it is missing; waits for Cassandra.
   *
   * @throws io.kasane.ramp.cql.schema.RefusedSchemaException if a table of that name is no such
   *     table, or the session's user may not set the time of writes
   */
  public <K, V> RampTable<K, V> table(String name, RampCodec<K> keys, RampCodec<V> values) {
    Waiting.requireMayWait("table");
    return Waiting.get("table", tableAsync(name, keys, values));
  }

  /** As {@link #table}. */
  public <K, V> CompletionStage<RampTable<K, V>> tableAsync(
      String name, RampCodec<K> keys, RampCodec<V> values) {
    Objects.requireNonNull(keys);
    Objects.requireNonNull(values);
    return Stages.map(store.open(name), opened -> new RampTable<>(name, keys, values));
  }

  /** As {@link #table}, for a table of many items a key. */
  public <K, I, V> RampCollection<K, I, V> collection(
      String name, RampCodec<K> keys, RampCodec<I> items, RampCodec<V> values) {
    Waiting.requireMayWait("collection");
    return Waiting.get("collection", collectionAsync(name, keys, items, values));
  }

  /** As {@link #collection}. */
  public <K, I, V> CompletionStage<RampCollection<K, I, V>> collectionAsync(
      String name, RampCodec<K> keys, RampCodec<I> items, RampCodec<V> values) {
    Objects.requireNonNull(keys);
    Objects.requireNonNull(items);
    Objects.requireNonNull(values);
    return Stages.map(store.open(name), opened -> new RampCollection<>(name, keys, items, values));
  }

  /** Begins a read of keys and collections together. */
  public RampRead read() {
    return new RampRead(this);
  }

  /** Begins a transaction that writes. */
  public RampTransaction write() {
    return new RampTransaction(this);
  }

  /** The value of one key. */
  public <K, V> Optional<V> get(RampTable<K, V> table, K key) {
    return read().get(table, Set.of(key)).run().get(table, key);
  }

  /** As {@link #get(RampTable, Object)}. */
  public <K, V> CompletionStage<Optional<V>> getAsync(RampTable<K, V> table, K key) {
    return Stages.map(read().get(table, Set.of(key)).runAsync(), rows -> rows.get(table, key));
  }

  /** The values of those keys that have one, read together. */
  public <K, V> Map<K, V> getAll(RampTable<K, V> table, Collection<? extends K> keys) {
    Waiting.requireMayWait("getAll");
    return Waiting.get("getAll", getAllAsync(table, keys));
  }

  /** As {@link #getAll}. */
  public <K, V> CompletionStage<Map<K, V>> getAllAsync(
      RampTable<K, V> table, Collection<? extends K> keys) {
    return Stages.map(
        read().get(table, keys).runAsync(),
        rows -> {
          Map<K, V> values = new LinkedHashMap<>();
          for (K key : keys) {
            rows.get(table, key).ifPresent(value -> values.put(key, value));
          }
          return Collections.unmodifiableMap(values);
        });
  }

  /** All items of a collection, in the order of their bytes. */
  public <K, I, V> Map<I, V> items(RampCollection<K, I, V> collection, K key) {
    return read().items(collection, key).run().items(collection, key);
  }

  /** As {@link #items}. */
  public <K, I, V> CompletionStage<Map<I, V>> itemsAsync(
      RampCollection<K, I, V> collection, K key) {
    return Stages.map(
        read().items(collection, key).runAsync(), rows -> rows.items(collection, key));
  }

  /** Some items of a collection: all or nothing of what each transaction wrote of them. */
  public <K, I, V> RampPage<I, V> items(
      RampCollection<K, I, V> collection, K key, RampRange<I> range) {
    return read().items(collection, key, range).run().items(collection, key, range);
  }

  /** As {@link #items(RampCollection, Object, RampRange)}. */
  public <K, I, V> CompletionStage<RampPage<I, V>> itemsAsync(
      RampCollection<K, I, V> collection, K key, RampRange<I> range) {
    return Stages.map(
        read().items(collection, key, range).runAsync(),
        rows -> rows.items(collection, key, range));
  }

  /**
   * The keys of a table, each once, in no order that means anything; waits for Cassandra while it
   * is gone through. Keys that are put or deleted meanwhile may be among them, and so may those
   * that were deleted, or prepared and never committed: read them to know.
   */
  public <K> Stream<K> keys(RampTable<K, ?> table) {
    Waiting.requireMayWait("keys");
    return store.partitions(table.name()).map(table.keys()::decode);
  }

  /** As {@link #keys(RampTable)}, of a collection's partitions. */
  public <K> Stream<K> keys(RampCollection<K, ?, ?> collection) {
    Waiting.requireMayWait("keys");
    return store.partitions(collection.name()).map(collection.keys()::decode);
  }

  /** Puts one value; see {@link RampTransaction#commit}. */
  public <K, V> Timestamp put(RampTable<K, V> table, K key, V value) {
    return write().put(table, key, value).commit();
  }

  /** As {@link #put(RampTable, Object, Object)}. */
  public <K, V> CompletionStage<Timestamp> putAsync(RampTable<K, V> table, K key, V value) {
    return write().put(table, key, value).commitAsync();
  }

  /** Puts several values in one transaction; see {@link RampTransaction#commit}. */
  public <K, V> Timestamp put(RampTable<K, V> table, Map<? extends K, ? extends V> values) {
    return write().put(table, values).commit();
  }

  /** As {@link #put(RampTable, Map)}. */
  public <K, V> CompletionStage<Timestamp> putAsync(
      RampTable<K, V> table, Map<? extends K, ? extends V> values) {
    return write().put(table, values).commitAsync();
  }

  /** Deletes several keys in one transaction; see {@link RampTransaction#commit}. */
  public <K> Timestamp delete(RampTable<K, ?> table, Collection<? extends K> keys) {
    return write().delete(table, keys).commit();
  }

  /** As {@link #delete}. */
  public <K> CompletionStage<Timestamp> deleteAsync(
      RampTable<K, ?> table, Collection<? extends K> keys) {
    return write().delete(table, keys).commitAsync();
  }

  /**
   * Several reads, later ones of which may depend on what earlier ones saw; all of them together
   * are read-atomic.
   *
   * @param body may be run more than once, so it only reads, and by way of what it is given; runs
   *     on the caller's thread
   */
  public <T> T readTransaction(Function<RampReader, T> body) {
    Waiting.requireMayWait("readTransaction");
    CallerThread caller = new CallerThread();
    return caller.lend(
        "readTransaction",
        readTransactionAsync(
            reader ->
                caller.run(() -> WithinTransaction.run(() -> body.apply(new RampReader(reader))))));
  }

  /**
   * As {@link #readTransaction}.
   *
   * @param body may be run more than once, on driver threads, so it neither writes nor waits
   */
  public <T> CompletionStage<T> readTransactionAsync(
      Function<AsyncRampReader, CompletionStage<T>> body) {
    return client.readTransaction(
        transaction -> WithinTransaction.run(() -> body.apply(new AsyncRampReader(transaction))),
        session);
  }

  /**
   * Reads, and writes what follows from it, in two steps that are not one: what is read is
   * read-atomic, what is written is, but others may write in between.
   *
   * <p>So Read Atomic prevents neither <em>lost updates</em> (two add 1 to the same 5, and 6 stays)
   * nor <em>write skew</em> (each of two doctors sees the other on call and goes home). Use it
   * where each key has one writer at a time, or the last one may win. For counters that many add
   * to, let each add an item of his own to a collection; for what must be decided once, use
   * Cassandra's lightweight transactions.
   *
   * @param wanted what to read
   * @param change is given what was seen, and collects what to write; nothing if there is nothing.
   *     Runs on the caller's thread
   */
  public Timestamp readModifyWrite(RampRead wanted, BiConsumer<RampRows, RampTransaction> change) {
    Waiting.requireMayWait("readModifyWrite");
    RampRows rows = Waiting.get("readModifyWrite", read(wanted.wanted()));
    RampTransaction transaction = write();
    change.accept(rows, transaction);
    return transaction.commit();
  }

  /**
   * As {@link #readModifyWrite(RampRead, BiConsumer)}.
   *
   * @param change runs where the answer comes in, so it does not wait
   */
  public CompletionStage<Timestamp> readModifyWriteAsync(
      RampRead wanted, BiConsumer<RampRows, RampTransaction> change) {
    return Stages.bare(
        read(wanted.wanted())
            .thenCompose(
                rows -> {
                  RampTransaction transaction = write();
                  change.accept(rows, transaction);
                  return transaction.commitAsync();
                }));
  }

  /**
   * As {@link #readModifyWrite(RampRead, BiConsumer)}, of one key, with the same warning.
   *
   * @param change is given the value seen, and returns the one to put; empty deletes the key
   */
  public <K, V> Timestamp readModifyWrite(
      RampTable<K, V> table, K key, UnaryOperator<Optional<V>> change) {
    return readModifyWrite(read().get(table, Set.of(key)), OneKey.change(table, key, change));
  }

  /** As {@link #readModifyWrite(RampTable, Object, UnaryOperator)}, on no thread of the caller. */
  public <K, V> CompletionStage<Timestamp> readModifyWriteAsync(
      RampTable<K, V> table, K key, UnaryOperator<Optional<V>> change) {
    return readModifyWriteAsync(read().get(table, Set.of(key)), OneKey.change(table, key, change));
  }

  /**
   * Writes values that were read elsewhere, such as rows of a plain CQL table, below all
   * transactions: whatever a transaction wrote to a key, a deletion too, before or after, stays.
   * Each is written by itself, so readers may see some of them and not others. May be repeated. A
   * deletion is remembered for {@code gcGrace}: what was read longer ago must not be written.
   *
   * @param order of two seeds of one key with different values, the one of the higher order stays:
   *     the microseconds since 1970 at which the value was read, say; not negative
   * @return how many were written; the others had a newer version, or the same value
   */
  public int seed(Collection<Seed> seeds, long order) {
    Waiting.requireMayWait("seed");
    return Waiting.get("seed", seedAsync(seeds, order));
  }

  /** As {@link #seed}. */
  public CompletionStage<Integer> seedAsync(Collection<Seed> seeds, long order) {
    WithinTransaction.refuse("a seed");
    Map<ItemKey, Bytes> values = new LinkedHashMap<>();
    seeds.forEach(seed -> values.put(seed.key(), seed.value()));
    return Stages.map(client.seed(values, order), Set::size);
  }

  /**
   * Those whose key has nothing in the keyspace: no value, whatever it is, and no deletion that is
   * still remembered.
   */
  public List<Seed> missing(Collection<Seed> seeds) {
    Waiting.requireMayWait("missing");
    return Waiting.get("missing", missingAsync(seeds));
  }

  /** As {@link #missing}. */
  public CompletionStage<List<Seed>> missingAsync(Collection<Seed> seeds) {
    WithinTransaction.refuse("a look for what is missing");
    List<Seed> copy = List.copyOf(seeds);
    return Stages.map(
        client.missing(copy.stream().map(Seed::key).collect(Collectors.toSet())),
        missing -> copy.stream().filter(seed -> missing.contains(seed.key())).toList());
  }

  /** What the session's process has for options. */
  public RampOptions options() {
    return client.options();
  }

  /**
   * Tries a put again that did not come to its end, with the same timestamp and bytes, as often as
   * needed.
   *
   * <pre>{@code
   * try {
   *   transaction.commit();
   * } catch (UnfinishedPutException e) {
   *   session.retry(e);
   * }
   * }</pre>
   *
   * @throws io.kasane.ramp.protocol.UnfinishedPutException if it failed again; retry that one then
   */
  public Timestamp retry(UnfinishedPutException unfinished) {
    Waiting.requireMayWait("retry");
    return Waiting.get("retry", unfinished.retryAsync(), unfinished.pending()::abandoned);
  }

  /**
   * Makes a transaction of what is left of one that storage lost in part, so that its keys can be
   * read again: by others at once, by a session that has seen what is lost never. Whoever calls it
   * accepts that the rest is gone, and goes on in a {@link #newSession}. Rows and entries of an
   * index, a view or a foreign key are healed by {@link io.kasane.ramp.cql.use.Checkable#heal},
   * which puts the entries that their rows miss then.
   */
  public Timestamp heal(LostVersionException lost) {
    Waiting.requireMayWait("heal");
    return Waiting.get("heal", healAsync(lost));
  }

  /** As {@link #heal}. */
  public CompletionStage<Timestamp> healAsync(LostVersionException lost) {
    return client.heal(lost);
  }

  /** A session of the same process that has seen nothing. */
  public RampSession newSession() {
    return with(client.newSession());
  }

  /**
   * A session that has seen what another one had when it gave its {@link #token}, in this process
   * or in any. Its first rounds ask quorums, whatever the level of first rounds is.
   *
   * @throws IllegalArgumentException if it is no token, or not signed with the key of this session
   */
  public RampSession resume(String token) {
    return with(client.newSession(SessionToken.parse(token, tokenKey)));
  }

  private RampSession with(Session another) {
    return new RampSession(store, client, another, tokenKey, metrics, () -> {});
  }

  /**
   * What this session has seen, as text: see {@link #resume}. Where all that it saw is at quorums,
   * as almost always with first rounds that ask quorums, it has 14 characters, or 30 if it is
   * signed; some 70 for each other key. It is signed where {@link RampSessionBuilder#tokenKey} was
   * given. Without that, take back only what was given to the same user: who forges one makes his
   * own reads fail.
   */
  public String token() {
    return session.token().toString(tokenKey);
  }

  /**
   * Clears what clients that died left in this keyspace; {@link
   * io.kasane.ramp.cql.collect.LeftoverScan} tells it what it finds.
   *
   * @param storeDelay how long after it was sent a write may still come to a replica: as long as
   *     hints are good, the longest {@code gc_grace_seconds} of the keyspace's tables
   */
  public Leftovers leftovers(Duration storeDelay) {
    return client.leftovers(storeDelay);
  }

  /** What all sessions of the process did in this keyspace. */
  public RampMetrics metrics() {
    return metrics;
  }

  /**
   * Ends what works in the background, for all sessions made of this one. Old versions that wait to
   * be deleted stay until somebody writes their keys again.
   */
  @Override
  public void close() {
    whenClosed.run();
  }

  CompletionStage<RampRows> read(ReadSet wanted) {
    WithinTransaction.refuse("a read of the session");
    return Stages.map(client.get(wanted, session), result -> new RampRows(wanted, result));
  }

  /** Fails at once if it is over a limit. */
  PendingPut write(Map<ItemKey, Optional<Bytes>> writes) {
    WithinTransaction.refuse("a write");
    return client.beginPut(writes, session);
  }
}
