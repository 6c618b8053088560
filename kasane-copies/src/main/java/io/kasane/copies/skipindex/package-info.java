/* SPDX-License-Identifier: Apache-2.0 */
/** Which rows of which SSTables reads may leave out, and which SSTables are copies. */
package io.kasane.copies.skipindex;
