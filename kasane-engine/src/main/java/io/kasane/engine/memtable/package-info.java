/* SPDX-License-Identifier: Apache-2.0 */
/** Puts an engine behind a table, by its memtable. */
package io.kasane.engine.memtable;
