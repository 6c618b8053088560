/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Questions about SSTables: on which disk one is, whether it has a row, and which row a running
 * compaction has reached.
 */
package io.kasane.copies.sstables;
