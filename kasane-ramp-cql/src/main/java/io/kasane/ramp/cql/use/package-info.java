/* SPDX-License-Identifier: Apache-2.0 */
/** What transactions are for: an index, a foreign key and a view that agree with their rows. */
package io.kasane.ramp.cql.use;
