/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.LeftoverCounts;
import java.util.List;

/**
 * What a schedule came to.
 *
 * @param seed of the schedule
 * @param findings what must not be; none where all is well
 * @param rounds how many gets needed so many rounds
 * @param transactions how many were done
 * @param healed how many transactions were healed
 * @param cleared what was cleared of what dead clients left
 * @param fingerprint the same whenever the same happened
 * @param trace in words, where it was asked for
 */
record Outcome(
    long seed,
    List<String> findings,
    Rounds rounds,
    int transactions,
    int healed,
    LeftoverCounts cleared,
    long fingerprint,
    List<String> trace) {}
