/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A database server of an engine's own, as a process beside this one, and the way to it. No
 * Cassandra.
 */
package io.kasane.engine.server;
