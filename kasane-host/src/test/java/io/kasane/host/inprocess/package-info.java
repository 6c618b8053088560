/* SPDX-License-Identifier: Apache-2.0 */
/** Cassandra in the JVM of the tests, for all modules that run in it. */
package io.kasane.host.inprocess;
