/* SPDX-License-Identifier: Apache-2.0 */
/** Tells a table's observer of each look-up in an SSTable, and leaves out what it says. */
package io.kasane.host.read;
