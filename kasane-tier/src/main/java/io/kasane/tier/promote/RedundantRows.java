/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which rows of which slow SSTables a read may leave out, because all that they say was copied to
 * fast. To forget an entry is always safe: the row is then read twice, with the same result.
 *
 * <p>An entry holds for good as long as the copy's data does not vanish: an SSTable never changes,
 * and a compaction hands the data of its inputs on to its outputs. So besides the keys this class
 * knows the <em>homes</em> of the copied data, the SSTables that it lies in, at first on fast,
 * after a compaction on either disk, and answers only once it has made sure that each home is live
 * or that a compaction announced, before it ended, which live ones take its place. Where a home is
 * gone without that (disk failure, scrub, another strategy), everything is forgotten. A read that
 * took its view of the table before this check has the homes in its view too, so the answer is
 * right for it, whatever happens meanwhile.
 *
 * <p>Thread-safe; {@code contains} takes no lock unless the table's SSTables have changed.
 *
 * @param <V> a moment of the table: the same object means the same live SSTables
 * @param <S> identifies an SSTable
 */
public final class RedundantRows<V, S> {
  private static final Logger logger = LoggerFactory.getLogger(RedundantRows.class);
  private static final int MOST_BATCHES = 6;
  private static final int MOST_ANNOUNCEMENTS = 4_096;

  private final int capacityKeys;
  private final Optional<RedundancyLog<S>> log;
  private final Supplier<V> now;
  private final Function<V, Set<S>> live;
  private final Set<S> homes = new HashSet<>();
  private final Map<S, Estate<S>> estates =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<S, Estate<S>> eldest) {
          return size() > MOST_ANNOUNCEMENTS;
        }
      };
  private volatile Checked<V, S> checked = new Checked<>(null, new ConcurrentHashMap<>());

  /**
   * What a compaction leaves.
   *
   * @param complete whether the heirs have all rows of it; copies of rows that cooled are dropped
   */
  private record Estate<S>(Set<S> heirs, boolean complete) {}

  /** Entries whose homes were there at a moment. */
  private record Checked<V, S>(V moment, ConcurrentMap<S, List<KeyBatch>> rows) {}

  /**
   * Nothing is redundant yet.
   *
   * @param capacityKeys most entries that are kept
   * @param now the table at this moment
   * @param live the SSTables that are live at a moment
   * @param log keeps what is known over a restart
   */
  public RedundantRows(
      int capacityKeys, Supplier<V> now, Function<V, Set<S>> live, Optional<RedundancyLog<S>> log) {
    this.log = log;
    this.capacityKeys = capacityKeys;
    this.now = now;
    this.live = live;
  }

  /** Whether a read that has begun may leave out what {@code slow} holds of a key. */
  public boolean contains(S slow, long keyId, ByteBuffer key) {
    Checked<V, S> known = checked;
    if (known.rows().isEmpty()) {
      return false;
    }
    if (known.moment() != now.get()) {
      known = check();
    }
    List<KeyBatch> batches = known.rows().get(slow);
    if (batches == null) {
      return false;
    }
    for (int i = 0; i < batches.size(); i++) {
      if (batches.get(i).contains(keyId, key)) {
        return true;
      }
    }
    return false;
  }

  /** Never with an older moment than before: homes may have moved on since. */
  private synchronized Checked<V, S> check() {
    V moment = now.get();
    if (checked.moment() == moment) {
      return checked;
    }
    Set<S> present = live.apply(moment);
    Set<S> now = new HashSet<>();
    for (S home : homes) {
      if (!addWhereDataIsNow(home, present, now, false)) {
        logger.info(
            "{} is gone, and no compaction said where its rows went: {} rows count as read from"
                + " slow until they are copied again",
            home,
            size());
        clear();
        return checked;
      }
    }
    homes.clear();
    homes.addAll(now);
    checked = new Checked<>(moment, checked.rows());
    return checked;
  }

  /**
   * Follows announcements from {@code home} to live SSTables; false if the trace is lost.
   *
   * @param complete whether all rows must be found there, as for rows that are not known here yet:
   *     nobody could withdraw them when copies were dropped
   */
  private boolean addWhereDataIsNow(S home, Set<S> present, Set<S> found, boolean complete) {
    Estate<S> estate = estates.get(home);
    if (complete && estate != null && !estate.complete()) {
      return false;
    }
    if (present.contains(home)) {
      found.add(home);
      return true;
    }
    if (estate == null) {
      return false;
    }
    for (S heir : estate.heirs()) {
      if (!addWhereDataIsNow(heir, present, found, complete)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds rows whose copies are in the view of every read that has the slow SSTable in its view and
   * may ask from now on; nothing if a copy is gone already.
   *
   * @param rows keys by slow SSTable
   * @param copies the SSTables that hold the copies
   */
  public void add(Map<S, List<RowKey>> rows, Collection<S> copies) {
    Map<S, KeyBatch> batches = new HashMap<>();
    rows.forEach((slow, keys) -> batches.put(slow, KeyBatch.of(keys)));
    if (publish(batches, copies)) {
      rows.keySet().forEach(this::join);
    }
  }

  private synchronized boolean publish(Map<S, KeyBatch> batches, Collection<S> copies) {
    check();
    Set<S> present = live.apply(now.get());
    Set<S> found = new HashSet<>();
    for (S copy : copies) {
      if (!addWhereDataIsNow(copy, present, found, true)) {
        return false;
      }
    }
    homes.addAll(found);
    checked = new Checked<>(null, checked.rows());
    batches.forEach(this::addBatch);
    batches.forEach((slow, batch) -> keep(slow, batch, found));
    return true;
  }

  /**
   * A compaction wrote rows to a slow SSTable of which all that its inputs hold is redundant: so
   * are they in the output, as far as nothing was withdrawn meanwhile.
   *
   * @param rows keys by each input that holds them
   * @param output the slow SSTable
   */
  public void inherit(Map<S, List<RowKey>> rows, S output) {
    Map<S, KeyBatch> claims = new HashMap<>();
    rows.forEach((input, keys) -> claims.put(input, KeyBatch.of(keys)));
    synchronized (this) {
      check();
      KeyBatch all = KeyBatch.union(List.copyOf(claims.values()));
      for (Map.Entry<S, KeyBatch> claim : claims.entrySet()) {
        KeyBatch lost = claim.getValue();
        for (KeyBatch known : checked.rows().getOrDefault(claim.getKey(), List.of())) {
          lost = lost.without(known);
        }
        all = all.without(lost);
      }
      addBatch(output, all);
      keep(output, all, homes);
    }
    join(output);
  }

  private void keep(S slow, KeyBatch batch, Set<S> copies) {
    log.ifPresent(kept -> kept.added(slow, batch, copies));
  }

  /**
   * Takes over what the log has kept, when the SSTables of the table are live.
   *
   * @param names of the live SSTables
   */
  public synchronized void restore(Map<String, S> names) {
    if (log.isEmpty()) {
      return;
    }
    RedundancyLog.Kept<S> kept = log.get().read(names);
    homes.addAll(kept.homes());
    checked = new Checked<>(null, checked.rows());
    kept.rows().forEach(this::addBatch);
  }

  private void addBatch(S slow, KeyBatch batch) {
    checked
        .rows()
        .merge(
            slow,
            List.of(batch),
            (some, more) ->
                Stream.concat(some.stream(), more.stream())
                    .collect(Collectors.toUnmodifiableList()));
  }

  /** Not while anybody waits: to join a million keys takes a while. */
  private void join(S slow) {
    ConcurrentMap<S, List<KeyBatch>> rows = checked.rows();
    List<KeyBatch> batches = rows.get(slow);
    if (batches != null && batches.size() > MOST_BATCHES) {
      rows.replace(slow, batches, List.of(KeyBatch.union(batches)));
    }
  }

  /**
   * A compaction is about to take {@code inputs} away; its outputs are live already.
   *
   * @param dropped keys of copies that are in no output: from now on they are read from slow
   */
  public void announce(Collection<S> inputs, Collection<S> outputs, List<RowKey> dropped) {
    announce(inputs, outputs, KeyBatch.of(dropped));
  }

  private synchronized void announce(
      Collection<S> inputs, Collection<S> outputs, KeyBatch withdrawn) {
    Estate<S> estate = new Estate<>(Set.copyOf(outputs), withdrawn.size() == 0);
    inputs.forEach(input -> estates.put(input, estate));
    if (withdrawn.size() > 0) {
      checked
          .rows()
          .replaceAll((slow, all) -> all.stream().map(b -> b.without(withdrawn)).toList());
    }
    log.ifPresent(kept -> kept.moved(inputs, outputs, withdrawn));
  }

  /** A compaction that was announced has failed. */
  public synchronized void retract(Collection<S> inputs) {
    estates.keySet().removeAll(inputs);
  }

  /**
   * Forgets slow SSTables that are gone and, where there are too many entries, keys that need not
   * be read fast any more; if that does not help, all.
   *
   * @param needed by the hash of a key
   */
  public void retain(Set<S> present, LongPredicate needed) {
    check(); // lets go of the last moment, which may be long past
    ConcurrentMap<S, List<KeyBatch>> rows = checked.rows();
    rows.keySet().retainAll(present);
    if (size() > capacityKeys) {
      rows.replaceAll((slow, batches) -> List.of(KeyBatch.union(batches).filter(needed)));
    }
    if ((rows.isEmpty() && knowsHomes()) || size() > capacityKeys) {
      clear();
    }
    if (log.isPresent() && log.get().hasOutgrown()) {
      rewriteLog(log.get());
    }
  }

  private synchronized boolean knowsHomes() {
    return !homes.isEmpty();
  }

  private void rewriteLog(RedundancyLog<S> outgrown) {
    Map<S, List<KeyBatch>> rows;
    Set<S> homesNow;
    Map<S, Set<S>> heirs = new HashMap<>();
    synchronized (this) {
      check();
      rows = Map.copyOf(checked.rows());
      homesNow = Set.copyOf(homes);
      estates.forEach((input, estate) -> heirs.put(input, estate.heirs()));
      outgrown.beginRewrite();
    }
    outgrown.rewrite(rows, homesNow, heirs);
  }

  /** How many entries there are. */
  public int size() {
    return checked.rows().values().stream().flatMap(List::stream).mapToInt(KeyBatch::size).sum();
  }

  /** Whether it is time to let compactions bring up rows rather than to remember them. */
  public boolean isHalfFull() {
    return size() > capacityKeys / 2;
  }

  /** Forgets everything. */
  public synchronized void clear() {
    forget();
    log.ifPresent(RedundancyLog::cleared);
  }

  /** The same, until it is restored. */
  public synchronized void forget() {
    homes.clear();
    checked = new Checked<>(null, new ConcurrentHashMap<>());
  }
}
