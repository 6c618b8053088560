/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which rows lie in more SSTables than one, as two questions. Which rows of which slow SSTables may
 * a read leave out, because all that they say was copied to fast? And which SSTables on fast are
 * <em>copies</em>, so that a row may leave them without being written elsewhere? To forget an
 * answer is always safe: a row is then read twice, or written to slow once more.
 *
 * <p>Both answers rest on SSTables that must not vanish. What is left out rests on the
 * <em>homes</em> of the copied data, the SSTables that it lies in, at first on fast, after a
 * compaction on either disk. A copy rests on its <em>sources</em>, the SSTables that its rows were
 * taken from. An SSTable never changes, and a compaction hands the data of its inputs on to its
 * outputs; so each of them must be live, or a compaction announced, before it ended, which live
 * ones take its place ({@link Lineage}). Where a home is gone without that (disk failure, scrub,
 * another strategy, an operator who deleted a file), nothing is left out any more; where a source
 * is, the copy counts as an SSTable with rows of its own. A read that took its view of the table
 * before homes were looked at has them in its view too, so the answer is right for it, whatever
 * happens meanwhile.
 *
 * <p>Rows are named by their tokens: <em>the rows of a token</em> are all that an SSTable holds of
 * partitions with that token, nearly always one. They are skippable only if each of them is, and
 * whoever adds a token vouches for that; so an SSTable has nothing else under it that a read of
 * another key could want.
 *
 * <p>Thread-safe; {@code contains} takes no lock unless the table's SSTables have changed, and no
 * lock that it takes is held during I/O: what the log is to keep, and what the node's log is told,
 * is queued under the lock and written after it.
 *
 * @param <V> a moment of the table: the same object means the same live SSTables
 * @param <S> identifies an SSTable
 */
public final class SkipIndex<V, S> {
  private final LongSupplier capacityBytes;
  private final Optional<SkipIndexLog<S>> log;
  private final Lineage<S> lineage = new Lineage<>();
  private final CoveringSSTables<V, S> homes;
  private final Set<S> handingOver = new HashSet<>();
  private final Losses losses = new Losses();
  private final CopySources<S> copySources =
      new CopySources<>(lineage, SkipIndexRecords.FEW_SOURCES, losses::ofSource);
  private final SortedTokenSets<S> rows = new SortedTokenSets<>();

  private final Invalidations withdrawals = new Invalidations();
  private boolean isClosed;

  /**
   * Nothing is skippable yet.
   *
   * @param capacityBytes most memory that entries may take, outside the heap
   * @param now the table at this moment
   * @param live the SSTables that are live at a moment
   * @param log keeps what is known over a restart
   */
  public SkipIndex(
      LongSupplier capacityBytes,
      Supplier<V> now,
      Function<V, Set<S>> live,
      Optional<SkipIndexLog<S>> log) {
    this.log = log;
    this.capacityBytes = capacityBytes;
    this.homes = new CoveringSSTables<>(lineage, now, live);
  }

  // What reads leave out.

  /** Whether a read that has begun may leave out what {@code slow} holds of a token. */
  public boolean contains(S slow, long token) {
    if (rows.isEmpty()) {
      return false;
    }
    if (!homes.areChecked()) {
      check();
    }
    return rows.contains(slow, token);
  }

  private synchronized void check() {
    if (!homes.follow()) {
      losses.ofHome(size());
      clear();
    }
  }

  /**
   * Adds rows whose copies are in the view of every read that has the slow SSTable in its view and
   * may ask from now on; nothing if a copy is gone already.
   *
   * @param tokens by each SSTable that the copies were taken from; the copies hold all rows of each
   *     token; closed here
   * @param copies the SSTables that hold the copies
   */
  public void add(Map<S, SortedTokenSet> tokens, Collection<S> copies) {
    if (publish(tokens, copies)) {
      tokens.keySet().forEach(rows::join);
    }
    writeLog();
  }

  private synchronized boolean publish(Map<S, SortedTokenSet> tokens, Collection<S> copies) {
    check();
    Set<S> present = homes.live();
    Optional<Set<S>> found = lineage.whereAre(copies, present, true);
    if (found.isEmpty()) {
      tokens.values().forEach(SortedTokenSet::close);
      return false;
    }
    homes.add(found.get());
    tokens.forEach((slow, run) -> add(slow, run, found.get()));
    Set<S> stillThere = copies.stream().filter(present::contains).collect(Collectors.toSet());
    setSources(stillThere, tokens.keySet());
    return true;
  }

  /**
   * A compaction wrote rows to a slow SSTable of which all that its inputs hold is skippable: so
   * are they in the output, as far as nothing was withdrawn meanwhile.
   *
   * @param tokens by each input that holds rows of them; closed here
   * @param output the slow SSTable
   */
  public void inherit(Map<S, SortedTokenSet> tokens, S output) {
    Invalidations.Watch watch;
    synchronized (this) {
      check();
      watch = withdrawals.watch();
    }
    try {
      SortedTokenSet all = rows.allOf(tokens); // takes a while where there are millions
      synchronized (this) {
        check();
        if (watch.leavesSomeOf(all)) {
          add(output, all, homes.copy());
        } else {
          all.close();
        }
      }
    } finally {
      synchronized (this) {
        withdrawals.end(watch);
      }
      tokens.values().forEach(SortedTokenSet::close);
    }
    rows.join(output);
    writeLog();
  }

  private void add(S slow, SortedTokenSet run, Set<S> homesNow) {
    if (isClosed) {
      run.close();
      return;
    }
    log.ifPresent(kept -> kept.added(slow, run.share(), homesNow));
    rows.add(slow, run);
  }

  // Which SSTables are copies.

  private void setSources(Set<S> copies, Set<S> sources) {
    if (!copies.isEmpty()) {
      Set<S> known = copySources.set(copies, sources);
      log.ifPresent(kept -> kept.copied(copies, known));
    }
  }

  /** The live SSTables all of whose rows lie in live SSTables that are no copies. */
  public synchronized Set<S> copies() {
    return copySources.copies(homes.live());
  }

  /**
   * The live SSTables that hold all rows of some copies, and are none themselves.
   *
   * @return nothing if one of {@code copies} is none, or not any more
   */
  public synchronized Optional<Set<S>> sourcesOf(Collection<S> copies) {
    return copySources.of(copies, homes.live());
  }

  // Compactions.

  /**
   * A compaction is about to take {@code inputs} away. Its outputs are live at any moment at which
   * an input is not.
   *
   * @param dropped tokens of copies that are in no output: from now on they are read from slow;
   *     closed here
   * @param ofCopies whether all inputs are copies, so that the outputs are copies, too
   */
  public void announce(
      Collection<S> inputs, Collection<S> outputs, SortedTokenSet dropped, boolean ofCopies) {
    try (dropped) {
      announceAndWithdraw(inputs, outputs, dropped, ofCopies);
    }
    writeLog();
  }

  private synchronized void announceAndWithdraw(
      Collection<S> inputs, Collection<S> outputs, SortedTokenSet withdrawn, boolean ofCopies) {
    Optional<Set<S>> sources = ofCopies ? sourcesOf(inputs) : Optional.empty();
    lineage.announce(inputs, outputs, withdrawn.size() == 0);
    handingOver.addAll(inputs);
    rows.remove(withdrawn);
    withdrawals.of(withdrawn);
    log.ifPresent(kept -> kept.moved(inputs, outputs, withdrawn.share()));
    sources.ifPresent(of -> setSources(Set.copyOf(outputs), of));
  }

  /**
   * A compaction is over, well or not, and {@link #inherit} was called for all its outputs: until
   * then what is known of its inputs is kept, though they are gone.
   */
  public void settled(Collection<S> inputs) {
    if (settleAndLookForVanished(inputs)) {
      writeLog();
    }
  }

  /**
   * The log does not say of an SSTable that nothing took its place: were that said before it is
   * gone, and it stayed, others would vouch for rows that it loses later. So once it is gone, the
   * log is written anew without it.
   */
  private synchronized boolean settleAndLookForVanished(Collection<S> inputs) {
    handingOver.removeAll(inputs);
    Set<S> present = homes.live();
    rows.removeSSTables(slow -> inputs.contains(slow) && !present.contains(slow));
    boolean vanished =
        log.isPresent()
            && inputs.stream().anyMatch(s -> !present.contains(s) && lineage.isWithoutSuccessor(s));
    if (vanished) {
      check();
      copySources.copies(present);
      queueRewrite(log.get());
    }
    return vanished;
  }

  /** A compaction that was announced has failed. */
  public synchronized void retract(Collection<S> inputs) {
    lineage.retract(inputs);
  }

  // Over a restart.

  /**
   * Takes over what the log has kept, when the SSTables of the table are live. Before that nothing
   * counts as a copy, so that no row is dropped that the log does not know of yet.
   *
   * @param liveByName the live SSTables by their names; not asked if nothing was kept
   */
  public void restore(Supplier<Map<String, S>> liveByName) {
    if (log.isEmpty()) {
      return;
    }
    SkipIndexLog.Kept<S> kept = log.get().read(liveByName);
    synchronized (this) {
      Set<S> present = homes.live();
      if (!isClosed && lineage.whereAre(kept.homes(), present, true).isPresent()) {
        homes.add(kept.homes());
        kept.rows().forEach(rows::add);
      } else {
        kept.rows().values().forEach(SortedTokenSet::close);
      }
      copySources.restore(kept.sourcesByCopy());
      queueRewrite(log.get());
    }
    writeLog();
  }

  private void writeLog() {
    losses.say();
    log.ifPresent(SkipIndexLog::write);
    rows.free();
  }

  private void queueRewrite(SkipIndexLog<S> kept) {
    kept.rewritten(rows.share(), homes.copy(), copySources.all(), lineage.successors());
  }

  /**
   * Forgets SSTables that are gone and, where entries take too much memory, keys that need not be
   * read fast any more; if that does not help, all.
   *
   * @param present the live SSTables
   * @param needed by token
   */
  public void retain(Set<S> present, LongPredicate needed) {
    check(); // lets go of the last moment, which may be long past
    forgetAllBut(present);
    if (bytes() > capacityBytes.getAsLong()) {
      rows.keepOnly(needed);
    }
    rows.joinAll();
    if ((rows.isEmpty() && knowsHomes()) || bytes() > capacityBytes.getAsLong()) {
      clear();
    }
    forgetCopiesThatAreGone();
    if (log.isPresent() && log.get().isToBeRewritten()) {
      synchronized (this) {
        check();
        queueRewrite(log.get());
      }
    }
    writeLog();
  }

  private synchronized void forgetAllBut(Set<S> present) {
    rows.removeSSTables(slow -> !present.contains(slow) && !handingOver.contains(slow));
  }

  private synchronized boolean knowsHomes() {
    return !homes.isEmpty();
  }

  private synchronized void forgetCopiesThatAreGone() {
    copySources.retain(homes.live());
  }

  /** How many entries there are. */
  public long size() {
    return rows.size();
  }

  /** How much memory the entries take outside the heap. */
  public long bytes() {
    return rows.bytes();
  }

  /** Whether it is time to let compactions bring up rows rather than to remember them. */
  public boolean isHalfFull() {
    return bytes() > capacityBytes.getAsLong() / 2;
  }

  /** Forgets what reads leave out. */
  public synchronized void clear() {
    homes.clear();
    rows.removeSSTables(slow -> true);
    withdrawals.ofAll();
    log.ifPresent(this::queueRewrite);
  }

  /** Gives back the memory; nothing is left out any more. What the log has stays. */
  public void close() {
    log.ifPresent(SkipIndexLog::close);
    synchronized (this) {
      isClosed = true;
      rows.removeSSTables(slow -> true);
    }
    writeLog();
  }
}
