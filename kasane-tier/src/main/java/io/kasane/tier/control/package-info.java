/* SPDX-License-Identifier: Apache-2.0 */
/** Controllers: what a table does next by what it measured, plain objects with a clock. */
package io.kasane.tier.control;
