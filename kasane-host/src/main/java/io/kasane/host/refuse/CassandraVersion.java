/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.refuse;

import org.apache.cassandra.utils.FBUtilities;

/** Refuses to run inside a Cassandra line that this wall was not built against. */
public final class CassandraVersion {
  static final String SUPPORTED_LINE = "5.0.";

  private CassandraVersion() {}

  /**
   * Checks the running Cassandra.
   *
   * @throws HostException if it is not of the supported line
   */
  public static void check() {
    check(FBUtilities.getReleaseVersionString());
  }

  static void check(String version) {
    if (version == null || !version.startsWith(SUPPORTED_LINE)) {
      throw new HostException(
          "this build of Kasane supports Apache Cassandra "
              + SUPPORTED_LINE
              + "x, but the node runs "
              + version
              + ". Install the Kasane jars made for that line, or remove them from lib/ together"
              + " with -Dcassandra.storage_hook (first ALTER every table that uses a Kasane class"
              + " back to a stock one).");
    }
  }
}
