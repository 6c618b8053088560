/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;

/** What a store has as the committed version of a key. */
public sealed interface Answer {
  /**
   * The committed version.
   *
   * @param version whole
   */
  record Present(Version version) implements Answer {}

  /**
   * A version is committed, but its bytes are not here.
   *
   * @param timestamp of the version
   */
  record MarkerOnly(Timestamp timestamp) implements Answer {}

  /** Nothing was committed, or what was is purged. */
  record Absent() implements Answer {}

  /** The store cannot say; ask with more strength. */
  record Miss() implements Answer {}

  /** The timestamp of the committed version, {@link Timestamp#NONE} where none is known. */
  default Timestamp marker() {
    if (this instanceof Present present) {
      return present.version().timestamp();
    }
    return this instanceof MarkerOnly marker ? marker.timestamp() : Timestamp.NONE;
  }
}
