/* SPDX-License-Identifier: Apache-2.0 */
/** One table, wired. */
package io.kasane.tier.table;
