/* SPDX-License-Identifier: Apache-2.0 */
/** Copies plain CQL tables into tables of transactions while applications use both. */
package io.kasane.ramp.cql.backfill;
