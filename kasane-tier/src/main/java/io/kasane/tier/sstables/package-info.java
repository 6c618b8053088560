/* SPDX-License-Identifier: Apache-2.0 */
/** Which disk an SSTable lies on, and what it says of itself. */
package io.kasane.tier.sstables;
