/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The experiment {@code kasane bench ramp}: read-atomic transactions beside what people do without.
 */
package io.kasane.bench.ramp;
