/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatMemory;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.tier.control.HotSetRefreshPace;
import io.kasane.tier.options.TierOptions;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;

/**
 * What is hot among the rows of one table: counts, kept over restarts, and a policy. Thread-safe.
 */
public final class TableHeat {
  private final ColumnFamilyStore cfs;
  private final Path directory;
  private final String logName;
  private final HeatMemory memory;
  private final Function<TierOptions, HeatPolicy> policies;
  private final HotKeyNames names = new HotKeyNames();
  private volatile HeatTracker tracker;
  private volatile HeatPolicy policy;
  private volatile HotSet hotSet = HotSet.unknown();
  private volatile boolean warm;
  private final HotSetRefreshPace pace = new HotSetRefreshPace(System::nanoTime);
  private SavedHeat saved;

  /**
   * Knows nothing before {@link #apply}.
   *
   * @param directory where counts are kept
   * @param logName of their file
   * @param memory bounds the counts of all tables together
   * @param policies makes the policy that options ask for
   */
  public TableHeat(
      ColumnFamilyStore cfs,
      Path directory,
      String logName,
      HeatMemory memory,
      Function<TierOptions, HeatPolicy> policies) {
    this.cfs = cfs;
    this.directory = directory;
    this.logName = logName;
    this.memory = memory;
    this.policies = policies;
  }

  /**
   * Takes over options that ALTER TABLE or JMX has changed.
   *
   * @param before those until now; null for the first ones
   */
  public synchronized void apply(TierOptions before, TierOptions changed) {
    if (before == null || before.tracker().periodMillis() != changed.tracker().periodMillis()) {
      HeatTracker last = tracker;
      if (saved != null) {
        saveAll();
        saved.close();
      }
      HeatTracker fresh =
          memory.track(changed.tracker(), System::currentTimeMillis, cfs.metadata.id.hashCode());
      saved = new SavedHeat(cfs.getKeyspaceName() + "." + cfs.getTableName(), directory, logName);
      forgetAnswer();
      saved.restoreInto(fresh);
      tracker = fresh;
      forgetAnswer();
      if (last != null) {
        memory.forget(last);
      }
    } else {
      memory.wish(tracker, changed.tracker().capacityKeys());
    }
    if (policy != null) {
      policy.close();
    }
    policy = policies.apply(changed);
  }

  // Any thread.

  /** A row was accessed. */
  public void record(DecoratedKey key) {
    long id = KeyIds.of(key);
    tracker.record(id);
    names.sample(id, key.getKey());
  }

  public boolean isHot(DecoratedKey key) {
    return hotSet.temperatureOf(KeyIds.of(key)) == Temperature.HOT;
  }

  /** Whether heat has seen enough to know a row that is read, and does not know this one. */
  public boolean isForgotten(long keyId) {
    return warm && tracker.heatOf(keyId) == 0;
  }

  /** Whether heat has seen enough to know a row that is read. */
  public boolean isWarm() {
    return warm;
  }

  /** Whether nothing is known of what is hot or cold. */
  public boolean knowsNothing() {
    return hotSet.equals(HotSet.unknown());
  }

  public HotSet hotSet() {
    return hotSet;
  }

  /** The counts; null before {@link #apply}. */
  public HeatTracker tracker() {
    return tracker;
  }

  public HotKeyNames names() {
    return names;
  }

  /** Asks the policy anew; returns the answer. */
  public HotSet refresh() {
    long began = System.nanoTime();
    HeatTracker counts = tracker;
    boolean isWhole = !counts.isRestoring(); // else what is not restored yet may be hot
    HeatSnapshot heat = counts.snapshot();
    HotSet fresh = isWhole ? policy.select(heat) : HotSet.unknown();
    hotSet = fresh;
    warm = isWhole && heat.warm() && !knowsNothing();
    pace.drawn(counts, heat.totalAccesses(), began);
    return fresh;
  }

  /** Whether it is time to ask the policy anew. */
  public boolean isRefreshDue() {
    return pace.isDue(tracker, !knowsNothing());
  }

  /** Whether the last answer is known, and less old than ten times as long as it took. */
  public boolean isAnswerYoung() {
    return !knowsNothing() && pace.isYoung();
  }

  /** The table was truncated. */
  public void clear() {
    tracker.clear();
    forgetAnswer();
  }

  private void forgetAnswer() {
    warm = false;
    hotSet = HotSet.unknown();
  }

  // One thread.

  /** Called about once a second. */
  public void advance() {
    tracker.advance();
    policy.tick();
  }

  /** Saves some or all of it. */
  public synchronized void save() {
    if (saved != null) {
      saved.save(tracker);
    }
  }

  /** Saves all of it. */
  public synchronized void saveAll() {
    if (saved != null) {
      saved.saveAll(tracker);
    }
  }

  /**
   * Gives its memory back.
   *
   * @param dropped whether what is kept is to be deleted
   * @return whether it was open
   */
  public synchronized boolean close(boolean dropped) {
    if (policy != null) {
      policy.close();
    }
    if (saved == null) {
      return false;
    }
    if (dropped) {
      saved.delete();
    } else {
      saveAll();
    }
    saved.close();
    saved = null;
    memory.forget(tracker);
    return true;
  }
}
