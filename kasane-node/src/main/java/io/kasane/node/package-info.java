/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Runs Cassandra nodes as separate processes on this machine, with or without Kasane's jars.
 *
 * <p>Nothing here loads a Cassandra server class: a node is its own JVM with its own class path
 * ({@link io.kasane.node.Distribution}), reached over CQL and JMX like any other.
 */
package io.kasane.node;
