/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/**
 * What an engine takes.
 *
 * @param keyBytes the longest key
 * @param valueBytes the longest value
 */
public record EngineLimits(int keyBytes, int valueBytes) {}
