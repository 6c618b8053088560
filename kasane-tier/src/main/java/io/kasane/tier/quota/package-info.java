/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The limit in bytes on the fast disk: of the node, of each table, and the part that is kept free
 * for flushes and compactions.
 */
package io.kasane.tier.quota;
