/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Timestamp;

/**
 * What keeps rows and entries that say where they are, and can compare them: after storage was
 * lost, a table was restored from before, or somebody wrote to it by other means. All methods may
 * run beside reads and writes, and wait.
 */
public interface Checkable {
  /** Goes through all rows and all entries, and changes nothing. */
  Check verify(RampSession session);

  /**
   * As {@link #verify}, and heals transactions that cannot be read, puts the entries that are
   * missing, and deletes those that are stale. Rows are not changed, so it beats nobody's write.
   *
   * @return what was found, and is mended
   */
  Check rebuild(RampSession session);

  /**
   * Makes a transaction of what is left of one that storage lost in part, as {@link
   * RampSession#heal} does, and puts the entries of its rows that are missing then.
   */
  Timestamp heal(RampSession session, LostVersionException lost);
}
