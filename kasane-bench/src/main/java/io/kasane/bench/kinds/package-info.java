/* SPDX-License-Identifier: Apache-2.0 */
/** {@code kasane bench kinds}: engines alone, and clusters whose replicas are of several kinds. */
package io.kasane.bench.kinds;
