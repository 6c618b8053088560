/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.nio.ByteBuffer;

/**
 * A partition key.
 *
 * @param id a hash of it; unlike keys may share one
 */
public record RowKey(long id, ByteBuffer bytes) {}
