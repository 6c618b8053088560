/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * One workload on one system, in numbers, for {@code summary.json}. What was not seen is left out.
 *
 * @param name of the system
 * @param rate operations a second that were sent; left out where clients sent what was answered
 * @param readShareByNode of all local reads of the table, by rack
 * @param lagMaxSeconds the longest that a replica was behind, as its queue of mutations and what it
 *     worked off in a second say
 * @param nodeCpuMicrosPerOperation of all nodes' processes, without their servers
 * @param ofBestHomogeneous the throughput, over that of the best cluster of one kind; left out of
 *     what is no mix, and at a rate
 * @param boundOps what the proof allows a mix whose nodes have a disk each; left out like the above
 * @param wrongReads cells that were read and were not what was written
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KindsEntry(
    String name,
    String workload,
    Integer rate,
    int rows,
    double seconds,
    double throughputOps,
    Double readMeanMicros,
    Long readP99Micros,
    Double writeMeanMicros,
    Long writeP99Micros,
    Map<String, Double> readShareByNode,
    double lagMaxSeconds,
    double nodeCpuMicrosPerOperation,
    Double ofBestHomogeneous,
    Double boundOps,
    long reads,
    long writes,
    long wrongReads,
    long failedOperations,
    String firstProblem) {

  KindsEntry beside(double bestHomogeneousOps, Double bound) {
    return new KindsEntry(
        name,
        workload,
        rate,
        rows,
        seconds,
        throughputOps,
        readMeanMicros,
        readP99Micros,
        writeMeanMicros,
        writeP99Micros,
        readShareByNode,
        lagMaxSeconds,
        nodeCpuMicrosPerOperation,
        throughputOps / bestHomogeneousOps,
        bound,
        reads,
        writes,
        wrongReads,
        failedOperations,
        firstProblem);
  }
}
