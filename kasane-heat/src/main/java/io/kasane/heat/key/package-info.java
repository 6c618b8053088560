/* SPDX-License-Identifier: Apache-2.0 */
/** Keys as heat knows them: which bits of an id it keeps, mixed, and sets of them. */
package io.kasane.heat.key;
