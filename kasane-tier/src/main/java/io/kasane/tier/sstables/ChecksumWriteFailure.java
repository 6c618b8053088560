/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

import java.io.IOError;
import java.util.Arrays;
import org.apache.cassandra.io.util.ChecksumWriter;

/**
 * A failed write of a chunk's checksum. Cassandra throws an {@link IOError} without a file name,
 * both for this and for a failed read of a row. Only the class that threw it shows which of them it
 * was.
 */
public final class ChecksumWriteFailure {

  /** Cassandra writes checksums nowhere else. */
  private static final String THROWN_BY = ChecksumWriter.class.getName();

  private ChecksumWriteFailure() {}

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
