/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

/**
 * What nodes hold in memory at a moment, in bytes, all of them together.
 *
 * @param residentBytes of the processes; NaN if the system does not tell
 * @param heapUsedBytes of their heaps, garbage included
 * @param heatBytes outside the heap, of what Kasane counts; 0 without Kasane
 * @param leftOutBytes outside the heap, of what reads may leave out; 0 without Kasane
 */
public record NodeMemory(
    double residentBytes, long heapUsedBytes, long heatBytes, long leftOutBytes) {
  NodeMemory plus(NodeMemory other) {
    return new NodeMemory(
        residentBytes + other.residentBytes,
        heapUsedBytes + other.heapUsedBytes,
        heatBytes + other.heatBytes,
        leftOutBytes + other.leftOutBytes);
  }
}
