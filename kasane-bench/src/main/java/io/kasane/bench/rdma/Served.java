/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.bench.rdma.client.OneSided;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A contestant that runs.
 *
 * @param oneSided what became of reads that ask nobody, since it was started
 * @param busy how long its servers have worked on requests, where they poll; else nothing
 * @param cpu what its servers' processes have used
 */
record Served(
    TransactionSystem system,
    Supplier<OneSided> oneSided,
    Supplier<Duration> busy,
    Supplier<Duration> cpu) {}
