/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Mode;
import java.time.Duration;

/**
 * What a client may choose.
 *
 * @param mode what new versions say of their siblings; those of collections are always named
 * @param filterFalsePositives how often a filter of {@link Mode#HYBRID} may err, above 0 and below
 *     1
 * @param checkMarkers whether a put makes sure that its timestamp is above what was committed
 * @param maxClockDrift how far the timestamps of others may be ahead of this machine's clock
 * @param gcWindow how long an overwritten version is kept for readers that demand it
 * @param gcGrace how long the marker of a deleted key is kept
 * @param deadline how long a get or put may take; under half of {@code gcWindow}
 * @param maxRounds how many rounds a get may need before it is given up
 * @param maxValueBytes the largest value
 * @param maxSiblingBytes the most bytes that the names of a transaction's keys may take in a
 *     version
 * @param maxFloors how many keys a session remembers
 */
public record RampOptions(
    Mode mode,
    double filterFalsePositives,
    boolean checkMarkers,
    Duration maxClockDrift,
    Duration gcWindow,
    Duration gcGrace,
    Duration deadline,
    int maxRounds,
    int maxValueBytes,
    int maxSiblingBytes,
    int maxFloors) {}
