/* SPDX-License-Identifier: Apache-2.0 */
/** Ways to read and write several keys at once, one class each: RAMP and what people do without. */
package io.kasane.bench.ramp.system;
