/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The compaction strategy that Cassandra calls, and the registry and threads of the tables that use
 * it.
 */
package io.kasane.tier;
