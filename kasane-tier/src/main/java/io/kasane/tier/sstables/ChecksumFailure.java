/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import java.io.IOError;
import java.util.Arrays;
import org.apache.cassandra.io.util.ChecksumWriter;

/**
 * A failed write of a chunk's checksum. Cassandra tells it by an {@link IOError} that names no
 * file, as it tells failed reads of rows; only the place where it was thrown tells them apart.
 */
public final class ChecksumFailure {

  /** Cassandra writes checksums nowhere else. */
  private static final String THROWN_BY = ChecksumWriter.class.getName();

  private ChecksumFailure() {}

  public static boolean isIn(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOError
          && Arrays.stream(cause.getStackTrace())
              .findFirst()
              .filter(place -> place.getClassName().equals(THROWN_BY))
              .isPresent()) {
        return true;
      }
    }
    return false;
  }
}
