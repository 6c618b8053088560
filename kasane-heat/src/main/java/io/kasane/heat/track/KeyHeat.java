/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

/**
 * What the tracker knows about one key.
 *
 * @param keyId the id under which the key was recorded
 * @param heat aged number of accesses
 * @param sizeBytes size last reported, in bytes; 0 when none was
 * @param lastPeriodAccesses accesses in the newest completed period
 * @param runningPeriodAccesses accesses so far in the running period
 */
public record KeyHeat(
    long keyId, double heat, long sizeBytes, int lastPeriodAccesses, int runningPeriodAccesses) {}
