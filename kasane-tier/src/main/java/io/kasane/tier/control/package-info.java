/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Feedback controllers: from what was measured, they decide how much a table may do and when. They
 * need a clock, but no Cassandra.
 */
package io.kasane.tier.control;
