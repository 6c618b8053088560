/* SPDX-License-Identifier: Apache-2.0 */
/** Versions in Cassandra tables, and the consistency levels that keep them together. */
package io.kasane.ramp.cql.store;
