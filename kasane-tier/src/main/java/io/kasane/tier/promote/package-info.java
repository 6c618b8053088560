/* SPDX-License-Identifier: Apache-2.0 */
/** Which rows that reads find on slow are worth a copy on fast. */
package io.kasane.tier.promote;
