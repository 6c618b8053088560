/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import io.kasane.ramp.version.Timestamp;

/**
 * A value as it was read.
 *
 * @param key whose it is
 * @param order its writer's place in the order by which the store decides which of two writes of
 *     one key stays
 * @param value what was written
 */
public record SeenValue(int key, Timestamp order, StampedValue value) {}
