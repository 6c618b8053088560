/* SPDX-License-Identifier: Apache-2.0 */
/** Chooses what to compact next, from metadata of the SSTables alone. */
package io.kasane.tier.pick;
