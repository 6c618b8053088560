/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes rows of an engine to SSTables where Cassandra needs SSTables (snapshots, index builds,
 * validation, streams), and deletes these SSTables later.
 */
package io.kasane.engine.sstables;
