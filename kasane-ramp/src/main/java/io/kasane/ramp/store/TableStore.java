/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.Bytes;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A store whose tables are opened by name and can be gone through: what applications ask of it
 * beside what the protocol does. Thread-safe.
 */
public interface TableStore extends VersionStore {
  /**
   * Opens a table, and makes it first if it is missing and the store may. Fails with the reason if
   * it cannot be a table of versions. May be repeated.
   */
  CompletionStage<Void> open(String table);

  /**
   * All partitions of a table that have a version of any kind, once each, in no order that means
   * anything; may wait for the store while it is gone through.
   */
  Stream<Bytes> partitions(String table);
}
