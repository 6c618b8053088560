/* SPDX-License-Identifier: Apache-2.0 */
/** Flushes and compactions: each row to its place. */
package io.kasane.tier.write;
