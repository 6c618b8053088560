/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.Map;

/**
 * An answer of the second round: what one look at the key showed, marker and versions together.
 *
 * @param committed the committed version
 * @param prepared those of the versions asked for that are stored, committed or not
 */
public record Candidates(Answer committed, Map<Timestamp, Version> prepared) {
  /** Takes a copy. */
  public Candidates {
    prepared = Map.copyOf(prepared);
  }
}
