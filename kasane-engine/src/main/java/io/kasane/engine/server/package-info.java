/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A database server of an engine's own, as a process beside this one, or an operator's, and the
 * ways to them. No Cassandra.
 */
package io.kasane.engine.server;
