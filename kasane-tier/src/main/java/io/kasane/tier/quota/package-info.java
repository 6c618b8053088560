/* SPDX-License-Identifier: Apache-2.0 */
/** The limit on fast, and what stays free there. */
package io.kasane.tier.quota;
