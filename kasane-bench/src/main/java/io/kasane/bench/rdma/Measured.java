/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.rdma.Contestant.Store;
import io.kasane.bench.rdma.client.OneSided;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a contestant did in a shape, all turns together.
 *
 * @param run what clients saw
 * @param throughputs of each turn, transactions a second
 * @param clients threads
 * @param serverBusy while servers worked on requests
 * @param serverCpu what servers' processes used, polling included
 * @param oneSided what became of reads that ask nobody
 */
record Measured(
    Contestant contestant,
    Shape shape,
    RunResult run,
    List<Double> throughputs,
    int clients,
    Duration serverBusy,
    Duration serverCpu,
    OneSided oneSided) {
  Measured plus(Measured later) {
    List<Double> all = new ArrayList<>(throughputs);
    all.addAll(later.throughputs);
    return new Measured(
        contestant,
        shape,
        run.plus(later.run),
        List.copyOf(all),
        clients,
        serverBusy.plus(later.serverBusy),
        serverCpu.plus(later.serverCpu),
        oneSided.plus(later.oneSided));
  }

  /** Whether it kept its word. */
  boolean isRight() {
    boolean isAtomic = run.fracturedReads() == 0 || !contestant.promisesAtomicReads();
    return isAtomic && run.incompleteReads() == 0 && run.failed() == 0;
  }

  double transactions() {
    return Math.max(1, run.reads() + run.writes());
  }

  /**
   * What a transaction costs the servers: of those that wait in the kernel all of their process, of
   * those that poll what they did between finding a request and having answered it.
   */
  double serverMicros() {
    boolean polls = contestant.store() == Store.MEMORY && contestant.transport().isPolling();
    Duration spent = polls ? serverBusy : serverCpu;
    return spent.toNanos() / 1e3 / transactions();
  }
}
