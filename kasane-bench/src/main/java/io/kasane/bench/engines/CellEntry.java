/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One workload on one system, in numbers, for {@code summary.json}. What was not seen is left out.
 *
 * @param name of the system
 * @param memory {@code fits} or {@code beyond}
 * @param pageCacheBytes what the page cache could hold; left out where there was no limit
 * @param nodeCpuMicrosPerOperation of the node's process, the flush and the compactions of what was
 *     written among it
 * @param localReadMeanMicros as the node itself counts them, without network and CQL
 * @param wrongReads cells that were read and were not what was written, and rows that a scan missed
 * @param diskBytes of the table's files, and of the engine's, after a flush
 * @param scanSeconds of counting all rows by CQL
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CellEntry(
    String name,
    String workload,
    String memory,
    int round,
    int rows,
    Long pageCacheBytes,
    double seconds,
    double throughputOps,
    Double readMeanMicros,
    Long readP50Micros,
    Long readP99Micros,
    Double writeMeanMicros,
    Long writeP50Micros,
    Long writeP99Micros,
    Double localReadMeanMicros,
    Double localWriteMeanMicros,
    double nodeCpuMicrosPerOperation,
    double scanSeconds,
    long diskBytes,
    long reads,
    long writes,
    long wrongReads,
    long failedOperations,
    double loadAverage,
    String firstProblem) {}
