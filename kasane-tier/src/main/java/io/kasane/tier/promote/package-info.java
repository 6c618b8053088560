/* SPDX-License-Identifier: Apache-2.0 */
/** Promotion by copy: which rows of which slow SSTables reads may leave out, and why that is so. */
package io.kasane.tier.promote;
