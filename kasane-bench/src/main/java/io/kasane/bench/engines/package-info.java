/* SPDX-License-Identifier: Apache-2.0 */
/** {@code kasane bench engines}: tables on storage engines beside Cassandra's own. */
package io.kasane.bench.engines;
