/* SPDX-License-Identifier: Apache-2.0 */
/** The seam of engines over a Redis server that Kasane starts for itself. No Cassandra. */
package io.kasane.engine.redis;
