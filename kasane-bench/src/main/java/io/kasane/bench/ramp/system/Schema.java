/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import java.time.Duration;

/** Changes of the schema that all nodes know of when they return. */
public final class Schema {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Schema() {}

  /**
   * Changes the schema and waits until the nodes agree: on a busy machine that takes longer than
   * the driver waits.
   */
  public static void change(CqlSession session, String statement) {
    session.execute(statement);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    // Each look waits for some seconds itself.
    while (!session.checkSchemaAgreement()) {
      if (System.nanoTime() - deadline > 0) {
        throw new NodeException(
            "The nodes do not agree on the schema after " + PATIENCE.toSeconds() + " s.");
      }
    }
  }
}
