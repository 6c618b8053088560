/* SPDX-License-Identifier: Apache-2.0 */
/** Which rows of a table are hot. */
package io.kasane.tier.hot;
