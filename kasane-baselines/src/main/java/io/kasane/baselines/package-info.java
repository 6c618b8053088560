/* SPDX-License-Identifier: Apache-2.0 */
/** Policies and placements that experiments compare tiering by heat with. */
package io.kasane.baselines;
