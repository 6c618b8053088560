/* SPDX-License-Identifier: Apache-2.0 */
/** What was read and moved. */
package io.kasane.tier.stats;
