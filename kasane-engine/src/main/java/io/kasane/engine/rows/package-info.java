/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Encodes Cassandra's partitions as keys and values of an engine; reads, merges and purges them.
 */
package io.kasane.engine.rows;
