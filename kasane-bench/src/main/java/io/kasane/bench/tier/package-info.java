/* SPDX-License-Identifier: Apache-2.0 */
/** Rows on two disks: the figures of Kamoshita, Kawashima and Matsuo, beside stock Cassandra. */
package io.kasane.bench.tier;
