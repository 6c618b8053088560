/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.OptionalLong;

/**
 * One row of {@code kasane_views.disks}: a data directory of one node.
 *
 * @param directory its path
 * @param tier {@code fast} or {@code slow}
 * @param totalBytes of its disk; empty if that is gone
 * @param freeBytes that the node may still write
 * @param isUsable whether it can be written to now
 */
public record DiskRow(
    String directory,
    String tier,
    OptionalLong totalBytes,
    OptionalLong freeBytes,
    boolean isUsable) {

  static DiskRow of(Row row) {
    return new DiskRow(
        row.getString("directory"),
        row.getString("tier"),
        EngineView.ifKnown(row, "total_bytes"),
        EngineView.ifKnown(row, "free_bytes"),
        row.getBoolean("is_usable"));
  }
}
