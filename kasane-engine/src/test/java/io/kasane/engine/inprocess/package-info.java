/* SPDX-License-Identifier: Apache-2.0 */
/** What tests of engines behind Cassandra's tables need that run in their own JVM. */
package io.kasane.engine.inprocess;
