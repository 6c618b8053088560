/* SPDX-License-Identifier: Apache-2.0 */
/** Eight bytes a key outside the heap: the table of counts, its buckets and its memory. */
package io.kasane.heat.table;
