/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/**
 * The machine that an experiment pretends to have, disks aside.
 *
 * @param cacheMib of memory for files: the page cache, where the rig can limit that
 * @param memtableKib of heap that a memtable fills before it is flushed
 * @param concurrentReads threads that may wait for disks
 * @param clientThreads clients, each with one operation at a time
 * @param clientRate operations a second that all clients send together; 0: each sends as soon as it
 *     has an answer
 * @param slowDiskBytes what the slow disk holds
 */
public record Machine(
    int cacheMib,
    int memtableKib,
    int concurrentReads,
    int clientThreads,
    double clientRate,
    long slowDiskBytes) {}
