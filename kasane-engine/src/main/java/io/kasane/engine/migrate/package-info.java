/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Background work: moves rows between engines and SSTables, purges tombstones, removes dropped
 * tables and ranges that the node has lost.
 */
package io.kasane.engine.migrate;
