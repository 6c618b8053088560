/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import java.time.Duration;
import java.util.Optional;

/**
 * What can be seen of a node from outside.
 *
 * @param settings what the node was started with
 * @param pid its process; empty when it does not run
 * @param uptime how long the process has run; empty when it does not or the system does not tell
 * @param mode the mode it reports over JMX (NORMAL when it serves), or "-" when it does not answer
 * @param cqlAnswers whether a CQL client would get an answer
 * @param fastBytes bytes under its fast directory
 * @param slowBytes bytes under its slow directory
 */
public record NodeStatus(
    NodeSettings settings,
    Optional<Long> pid,
    Optional<Duration> uptime,
    String mode,
    boolean cqlAnswers,
    ByteSize fastBytes,
    ByteSize slowBytes) {

  /** Returns whether the node serves clients as a full member of its ring. */
  public boolean ready() {
    return cqlAnswers && mode.equals("NORMAL");
  }
}
