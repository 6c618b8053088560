/* SPDX-License-Identifier: Apache-2.0 */
/** {@code kasane demo --ramp}: halves with a logged batch, none with RAMP, beside each other. */
package io.kasane.bench.ramp.demo;
