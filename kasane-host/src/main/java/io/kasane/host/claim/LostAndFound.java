/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.claim;

import java.nio.file.Path;

/** The directory {@code lost+found} in the root of each ext4: closed to Cassandra's user. */
public final class LostAndFound {
  private static final String NAME = "lost+found";

  private LostAndFound() {}

  /** Whether a data directory that is the root of a file system may not be able to open this. */
  public static boolean is(Path dataDirectory, Path path) {
    return path.equals(dataDirectory.resolve(NAME));
  }
}
