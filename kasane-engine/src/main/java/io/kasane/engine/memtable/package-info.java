/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The memtable that connects a table to an engine: a flush writes into the engine, a read asks the
 * memtable and the engine.
 */
package io.kasane.engine.memtable;
