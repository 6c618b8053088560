/* SPDX-License-Identifier: Apache-2.0 */
/** Transactions read from a node's shared memory beside CQL: what it costs, and a demonstration. */
package io.kasane.bench.arena;
