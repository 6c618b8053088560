/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends its process, as a power cut would, when a put of several keys is prepared and its commit is
 * due: at an even number before anything of it is sent, else when half of the keys are committed.
 */
final class HaltingStore implements VersionStore {
  /** How a process ends that this store ended. */
  static final int HALTED = 99;

  private final VersionStore store;
  private final SkewedEnvironment environment;
  private final int haltAt;
  private final AtomicInteger commits = new AtomicInteger();

  /**
   * Wraps a store.
   *
   * @param environment whose clients' puts are counted
   * @param haltAt which commit ends the process, from 1; 0 for none
   */
  HaltingStore(VersionStore store, SkewedEnvironment environment, int haltAt) {
    this.store = store;
    this.environment = environment;
    this.haltAt = haltAt;
  }

  @Override
  public boolean isQuorum(Strength strength) {
    return store.isQuorum(strength);
  }

  @Override
  public CompletionStage<List<Answer>> readCommitted(List<ItemKey> keys, Strength strength) {
    return store.readCommitted(keys, strength);
  }

  @Override
  public CompletionStage<Timestamp> newestCommitted(List<ItemKey> keys, Strength strength) {
    return store.newestCommitted(keys, strength);
  }

  @Override
  public CompletionStage<List<Candidates>> readCandidates(
      List<CandidateQuery> queries, Strength strength) {
    return store.readCandidates(queries, strength);
  }

  @Override
  public CompletionStage<ItemPage> readItems(ItemRange wanted, Strength strength) {
    return store.readItems(wanted, strength);
  }

  @Override
  public CompletionStage<Void> openSweep(String table, Bytes partition) {
    return store.openSweep(table, partition);
  }

  @Override
  public CompletionStage<Void> sweep(String table, Bytes partition) {
    return store.sweep(table, partition);
  }

  @Override
  public CompletionStage<Void> prepare(Collection<Write> writes) {
    return store.prepare(writes);
  }

  @Override
  public CompletionStage<Void> commit(Collection<Write> writes) {
    List<Write> all = List.copyOf(writes);
    boolean own = environment.drew(all.get(0).version().timestamp().client());
    if (haltAt == 0 || all.size() < 2 || !own) {
      return store.commit(writes);
    }
    int number = commits.incrementAndGet();
    if (number < haltAt) {
      return store.commit(writes);
    }
    if (number > haltAt) {
      // This process is about to end: nothing more leaves it.
      return new CompletableFuture<>();
    }
    if (haltAt % 2 == 0) {
      Runtime.getRuntime().halt(HALTED);
    }
    return store
        .commit(all.subList(0, all.size() / 2))
        .whenComplete((nothing, failure) -> Runtime.getRuntime().halt(HALTED));
  }

  @Override
  public CompletionStage<Void> collect(Write committed) {
    return store.collect(committed);
  }

  @Override
  public CompletionStage<Void> purge(ItemKey key, Timestamp deletion) {
    return store.purge(key, deletion);
  }

  @Override
  public CompletionStage<Void> drop(ItemKey key, Timestamp prepared) {
    return store.drop(key, prepared);
  }
}
