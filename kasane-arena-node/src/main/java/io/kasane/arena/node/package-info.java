/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keeps arenas in step with the tables that they are of: what is in one is never older than what
 * this node has acknowledged.
 */
package io.kasane.arena.node;
