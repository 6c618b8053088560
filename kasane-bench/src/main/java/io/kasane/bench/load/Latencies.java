/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import org.HdrHistogram.Histogram;

/**
 * How long some operations took, in few numbers.
 *
 * @param count of the operations
 * @param meanMicros 0 if there were none
 * @param p50Micros median; 0 if there were none
 * @param p99Micros 99th percentile; 0 if there were none
 */
public record Latencies(long count, double meanMicros, long p50Micros, long p99Micros) {
  static Latencies of(Histogram histogram) {
    return new Latencies(
        histogram.getTotalCount(),
        histogram.getMean(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99));
  }
}
