/* SPDX-License-Identifier: Apache-2.0 */
/** What an SSTable says of itself, and where those on fast are cut. */
package io.kasane.tier.sstables;
