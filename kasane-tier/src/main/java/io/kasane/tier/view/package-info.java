/* SPDX-License-Identifier: Apache-2.0 */
/** The tables of {@code kasane_views} about tiers. */
package io.kasane.tier.view;
