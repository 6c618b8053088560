/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Copies a row to fast after a read found it on slow: collects the keys, reads the rows, writes the
 * SSTables.
 */
package io.kasane.copies.promote;
