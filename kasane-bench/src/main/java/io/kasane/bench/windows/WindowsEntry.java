/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What one system showed, once the first windows had expired.
 *
 * @param readsPerSecond answered, of all kinds
 * @param newestMeanMicros of reads of the newest window
 * @param newestP99Micros the same
 * @param oldMeanMicros of reads of older windows
 * @param oldP99Micros the same
 * @param fastReadShare share of the reads that needed no slow disk; null without Kasane
 * @param slowReadsPerRead requests that the slow disk got per read of a client
 * @param rowsPerSecond written
 * @param slowWrittenPerByte bytes written to slow per byte of the rows
 * @param fastWrittenPerByte the same to fast
 * @param slowMeanBytes what the table took on slow, mean of the seconds
 * @param slowMostBytes the most
 * @param fastMostBytes the most on fast
 * @param sstables at the end
 * @param nodeCores that the node used
 * @param wrongReads that missed an acknowledged row or saw another one
 * @param failedOperations that got an error
 * @param firstProblem in words; null if there was none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record WindowsEntry(
    String name,
    double seconds,
    double readsPerSecond,
    double newestMeanMicros,
    long newestP99Micros,
    double oldMeanMicros,
    long oldP99Micros,
    Double fastReadShare,
    double slowReadsPerRead,
    double rowsPerSecond,
    double slowWrittenPerByte,
    double fastWrittenPerByte,
    double slowMeanBytes,
    long slowMostBytes,
    long fastMostBytes,
    long sstables,
    double nodeCores,
    long wrongReads,
    long failedOperations,
    String firstProblem) {}
