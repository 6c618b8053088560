/* SPDX-License-Identifier: Apache-2.0 */
/** How Cassandra's partitions lie in an engine: keys, values, and what both mean. */
package io.kasane.engine.rows;
