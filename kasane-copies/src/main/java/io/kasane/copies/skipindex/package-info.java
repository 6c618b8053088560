/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records which rows of a slow SSTable a read may skip because a copy has them, and which SSTables
 * are copies.
 */
package io.kasane.copies.skipindex;
