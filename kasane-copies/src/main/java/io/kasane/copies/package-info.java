/* SPDX-License-Identifier: Apache-2.0 */
/** The copies of a table, wired. */
package io.kasane.copies;
