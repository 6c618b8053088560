/* SPDX-License-Identifier: Apache-2.0 */
/** The SSTables of tables on an engine: copies of its rows, and what is left over. */
package io.kasane.engine.sstables;
