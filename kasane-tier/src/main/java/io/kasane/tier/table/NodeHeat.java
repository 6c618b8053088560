/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.skipindex.SkippableRowsMemory;
import io.kasane.heat.track.HeatMemory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Settings and memory for counting heat that all tables of the node share.
 *
 * @param directory where access counts are kept over restarts
 * @param memory bounds what is known of rows, all tables together
 * @param skippable bounds what is known of rows that reads may leave out, all tables together
 * @param keyLists the directory of lists of keys that tables may name, if there is one
 * @param showsKeys whether views may show partition keys
 */
public record NodeHeat(
    Path directory,
    HeatMemory memory,
    SkippableRowsMemory skippable,
    Optional<Path> keyLists,
    BooleanSupplier showsKeys) {}
