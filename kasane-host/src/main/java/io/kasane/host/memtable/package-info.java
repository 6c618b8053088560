/* SPDX-License-Identifier: Apache-2.0 */
/** Memtables that answer from more than memory, and where Cassandra frees theirs. */
package io.kasane.host.memtable;
