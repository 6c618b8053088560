/* SPDX-License-Identifier: Apache-2.0 */
/** The compaction options of a table. */
package io.kasane.tier.options;
