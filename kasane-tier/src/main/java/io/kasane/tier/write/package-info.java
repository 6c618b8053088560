/* SPDX-License-Identifier: Apache-2.0 */
/** Writers of flushes and compactions: they write each row to a fast or a slow SSTable. */
package io.kasane.tier.write;
