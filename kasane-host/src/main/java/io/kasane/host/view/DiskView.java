/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** The view {@code disks}: the room in each data directory. */
public final class DiskView {
  private DiskView() {}

  /**
   * Shows it.
   *
   * @param data all data directories
   * @param isFast which of them are on the fast disk
   * @param isUsable whether one can be written to now
   */
  public static void show(List<Path> data, Predicate<Path> isFast, Predicate<Path> isUsable) {
    Views.register(
        List.of(
            Views.table(
                "disks",
                "Room in the data directories of this node",
                "directory text PRIMARY KEY, tier text, total_bytes bigint, free_bytes bigint,"
                    + " is_usable boolean",
                1,
                rows ->
                    data.forEach(
                        directory ->
                            row(
                                rows,
                                directory,
                                isFast.test(directory),
                                isUsable.test(directory))))));
  }

  private static void row(SimpleDataSet rows, Path directory, boolean isFast, boolean isUsable) {
    rows.row(directory.toString())
        .column("tier", isFast ? "fast" : "slow")
        .column("is_usable", isUsable);
    try {
      FileStore store = Files.getFileStore(directory);
      rows.column("total_bytes", store.getTotalSpace())
          .column("free_bytes", store.getUsableSpace());
    } catch (IOException e) {
      // Of a disk that is gone nothing is known; is_usable says so.
    }
  }
}
