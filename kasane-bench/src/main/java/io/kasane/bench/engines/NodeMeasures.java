/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

/**
 * What a node has done since its start, or between two moments.
 *
 * @param cpuNanos of its process
 * @param localReads of one partition
 * @param localReadMicros that they took, all together
 * @param localWrites to the table
 * @param localWriteMicros that they took, all together
 */
record NodeMeasures(
    long cpuNanos, long localReads, long localReadMicros, long localWrites, long localWriteMicros) {

  NodeMeasures since(NodeMeasures before) {
    return new NodeMeasures(
        cpuNanos - before.cpuNanos,
        localReads - before.localReads,
        localReadMicros - before.localReadMicros,
        localWrites - before.localWrites,
        localWriteMicros - before.localWriteMicros);
  }

  /** The same with another moment's use of the processor. */
  NodeMeasures withCpuOf(NodeMeasures other) {
    return new NodeMeasures(
        other.cpuNanos, localReads, localReadMicros, localWrites, localWriteMicros);
  }

  /** Null if there was none. */
  Double localReadMeanMicros() {
    return localReads == 0 ? null : localReadMicros / (double) localReads;
  }

  /** Null if there was none. */
  Double localWriteMeanMicros() {
    return localWrites == 0 ? null : localWriteMicros / (double) localWrites;
  }
}
