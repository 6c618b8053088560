/* SPDX-License-Identifier: Apache-2.0 */
/**
 * All objects of one table, connected: what happens at each read and write, its compactions, its
 * regular work.
 */
package io.kasane.tier.table;
