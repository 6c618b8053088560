/* SPDX-License-Identifier: Apache-2.0 */
/** Decides whether a row belongs on fast or slow. */
package io.kasane.tier.place;
