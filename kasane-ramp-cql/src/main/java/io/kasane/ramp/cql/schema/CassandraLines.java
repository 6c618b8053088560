/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.Version;
import com.datastax.oss.driver.api.core.metadata.Node;

/** The Cassandra releases on which the tests of this library ran. */
public final class CassandraLines {
  private CassandraLines() {}

  /**
   * Returns if all nodes that are known run a release of a tested line.
   *
   * @throws RefusedSchemaException if one does not
   */
  public static void check(CqlSession session) {
    for (Node node : session.getMetadata().getNodes().values()) {
      Version version = node.getCassandraVersion();
      if (version != null && !isTested(version)) {
        throw new RefusedSchemaException(
            "Node "
                + node.getEndPoint()
                + " runs Cassandra "
                + version
                + "; this library was tested on 5.0 only. Upgrade the node, or call"
                + " allowUntestedCassandra() if you tested it yourself.");
      }
    }
  }

  static boolean isTested(Version version) {
    return version.getMajor() == 5 && version.getMinor() == 0;
  }
}
