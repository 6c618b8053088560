/* SPDX-License-Identifier: Apache-2.0 */

/**
 * {@code kasane demo}: a node that starts with every row on slow, a skewed load whose every read is
 * checked, and the share of reads the fast directory comes to serve.
 */
package io.kasane.bench.demo;
