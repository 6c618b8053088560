/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/**
 * What an engine takes.
 *
 * @param diskBytes of files, including what is free within them
 * @param capacityBytes the most that it may take on its disk; {@link Long#MAX_VALUE} without bound
 * @param memoryBytes outside the heap, without what the operating system caches of its files
 */
public record EngineUsage(long diskBytes, long capacityBytes, long memoryBytes) {}
