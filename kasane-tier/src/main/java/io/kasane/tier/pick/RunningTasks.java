/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import io.kasane.copies.sstables.CompactionPositions;
import io.kasane.copies.sstables.SharedInputs;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** The compactions of one table that are running. Thread-safe. */
public final class RunningTasks {
  private final SlowTierSlots slots;
  private final AtomicLong nextId = new AtomicLong();
  private final Map<Long, Entry> running = new ConcurrentHashMap<>();
  private final Set<SharedInputs> shared = ConcurrentHashMap.newKeySet();

  /**
   * One compaction.
   *
   * @param thread that runs it
   * @param inputs that it has marked as compacting
   * @param rows where these are
   * @param bytes of its inputs
   */
  public record Entry(
      long id,
      Thread thread,
      Pick.Kind kind,
      Set<SSTableReader> inputs,
      CompactionPositions rows,
      long bytes,
      long startedAtMillis) {}

  /**
   * None runs.
   *
   * @param slots of the node
   */
  public RunningTasks(SlowTierSlots slots) {
    this.slots = slots;
  }

  /** The calling thread runs it. */
  public Entry begin(Pick.Kind kind, Collection<SSTableReader> inputs, long bytes) {
    Entry entry =
        new Entry(
            nextId.incrementAndGet(),
            Thread.currentThread(),
            kind,
            Set.copyOf(inputs),
            new CompactionPositions(),
            bytes,
            System.currentTimeMillis());
    running.put(entry.id(), entry);
    if (kind.takesSlot()) {
      slots.begins();
    }
    return entry;
  }

  /** Whether one of them has marked all these SSTables. */
  public boolean hold(Collection<SSTableReader> sstables) {
    return running.values().stream().anyMatch(entry -> entry.inputs().containsAll(sstables));
  }

  /** From now on rows may be copied from all that one of them has marked. */
  public SharedInputs share(Set<SSTableReader> marked) {
    SharedInputs inputs = new SharedInputs(marked);
    shared.add(inputs);
    return inputs;
  }

  /** Not any more; waits for copies that are being written. */
  public void endSharing(SharedInputs inputs) {
    shared.remove(inputs);
    inputs.close();
  }

  /** The inputs, {@code sstable} among them, from which rows may be copied now. */
  public Optional<SharedInputs> sharing(SSTableReader sstable) {
    return shared.stream().filter(inputs -> inputs.all().contains(sstable)).findAny();
  }

  /** The one that the calling thread runs. */
  public Optional<Entry> ofThisThread() {
    return running.values().stream()
        .filter(entry -> entry.thread() == Thread.currentThread())
        .findAny();
  }

  public void end(Entry entry) {
    if (running.remove(entry.id()) != null && entry.kind().takesSlot()) {
      slots.ends();
    }
  }

  /** What else may begin on slow. */
  public SlowTierLoad slowTasks() {
    if (!slots.isFree()) {
      return SlowTierLoad.ENOUGH;
    }
    boolean runs = running.values().stream().anyMatch(entry -> entry.kind().isSlow());
    return runs ? SlowTierLoad.SOME : SlowTierLoad.NONE;
  }

  /** When the oldest of them began, milliseconds since 1970; the latest moment if none runs. */
  public long oldestStartMillis() {
    return running.values().stream().mapToLong(Entry::startedAtMillis).min().orElse(Long.MAX_VALUE);
  }

  public List<Entry> all() {
    return List.copyOf(running.values());
  }
}
