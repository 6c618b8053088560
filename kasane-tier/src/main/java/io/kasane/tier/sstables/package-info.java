/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whether an SSTable was written for hot rows, and at which tokens the SSTables on fast are split
 * into shards.
 */
package io.kasane.tier.sstables;
