/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import io.kasane.ramp.cql.Seed;
import java.util.List;

/**
 * What a verification found.
 *
 * @param counts what it met, and how much of that is missing in the target
 * @param examples some of what is missing
 */
public record BackfillCheck(BackfillCounts counts, List<Seed> examples) {
  /** Takes a copy. */
  public BackfillCheck {
    examples = List.copyOf(examples);
  }

  /** Whether nothing is missing. */
  public boolean isComplete() {
    return counts.missing() == 0;
  }
}
