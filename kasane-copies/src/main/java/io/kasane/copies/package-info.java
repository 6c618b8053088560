/* SPDX-License-Identifier: Apache-2.0 */
/** All that is known of the copies of one table, connected. */
package io.kasane.copies;
