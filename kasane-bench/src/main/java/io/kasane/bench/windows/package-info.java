/* SPDX-License-Identifier: Apache-2.0 */
/** {@code kasane bench windows}: a time series in windows of time, beside stock Cassandra. */
package io.kasane.bench.windows;
