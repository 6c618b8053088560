/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Read-atomic transactions for applications: typed tables and collections over a driver session.
 */
package io.kasane.ramp.cql;
