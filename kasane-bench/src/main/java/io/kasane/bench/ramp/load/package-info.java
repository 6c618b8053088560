/* SPDX-License-Identifier: Apache-2.0 */
/** Transactions as a YCSB load: operations grouped, timed, and checked for halves. */
package io.kasane.bench.ramp.load;
