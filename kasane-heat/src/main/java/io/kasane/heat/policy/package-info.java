/* SPDX-License-Identifier: Apache-2.0 */
/** The ways to draw the line between hot and cold: by window, by share, by budget, by a list. */
package io.kasane.heat.policy;
