/* SPDX-License-Identifier: Apache-2.0 */
/** What clients do: key laws, mixes and checked rows on YCSB's workload and database interfaces. */
package io.kasane.bench.load;
