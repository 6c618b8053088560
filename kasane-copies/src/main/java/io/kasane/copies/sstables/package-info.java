/* SPDX-License-Identifier: Apache-2.0 */
/** Which disk an SSTable lies on, which rows it has, and where a compaction of it is. */
package io.kasane.copies.sstables;
