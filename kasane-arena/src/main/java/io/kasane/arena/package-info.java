/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A file of shared memory with committed versions of one table, which one process writes and others
 * read without asking it. Plain Java; neither side trusts what is in the file.
 */
package io.kasane.arena;
