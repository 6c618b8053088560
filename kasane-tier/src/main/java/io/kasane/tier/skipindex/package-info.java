/* SPDX-License-Identifier: Apache-2.0 */
/** Which rows lie on both disks, and what reads may leave out. */
package io.kasane.tier.skipindex;
