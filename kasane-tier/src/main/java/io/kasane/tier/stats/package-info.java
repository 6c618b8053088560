/* SPDX-License-Identifier: Apache-2.0 */
/** Counters of reads by tier and of rows moved between the tiers. */
package io.kasane.tier.stats;
