/* SPDX-License-Identifier: Apache-2.0 */
/** The three ways to draw the line between hot and cold: by window, by share, by budget. */
package io.kasane.heat.policy;
