/* SPDX-License-Identifier: Apache-2.0 */
/** The Cassandra tables that hold versions: made, read back and judged. */
package io.kasane.ramp.cql.schema;
