/* SPDX-License-Identifier: Apache-2.0 */
/** Counts accesses: trackers, the memory that they share, and what one knew at a moment. */
package io.kasane.heat.track;
