/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.util.concurrent.CompletionStage;

/**
 * Several gets, later ones of which may depend on what earlier ones saw. All versions that they
 * return are read atomic together.
 */
public interface ReadTransaction {
  /**
   * As {@link RampClient#get}; a key that was returned before is returned unchanged. Where that
   * cannot be, the stage fails and the whole function is run again: it does nothing that may not
   * happen twice.
   */
  CompletionStage<ReadResult> get(ReadSet wanted);
}
