/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.skipindex.SkippableRowsMemory;
import io.kasane.heat.track.HeatMemory;
import io.kasane.tier.hot.KeyLists;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * What the tables of a node share to know their heat.
 *
 * @param directory where access counts are kept over restarts
 * @param memory bounds what is known of rows, all tables together
 * @param leftOut bounds what is known of rows that reads may leave out, all tables together
 * @param lists of keys that tables may name
 * @param showsKeys whether views may show partition keys
 */
public record NodeHeat(
    Path directory,
    HeatMemory memory,
    SkippableRowsMemory leftOut,
    KeyLists lists,
    BooleanSupplier showsKeys) {}
