/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import java.util.Set;
import java.util.function.Function;

/** An index as an application has it, for {@code kasane ramp verify}. */
public final class NumbersIndex
    implements Function<RampSession, SecondaryIndex<Integer, Integer, Integer>> {
  static final String ROWS = "numbers";
  static final String ENTRIES = "numbers_by_value";

  @Override
  public SecondaryIndex<Integer, Integer, Integer> apply(RampSession session) {
    return SecondaryIndex.open(
        session,
        RowTable.of(ROWS, Codecs.int32(), Codecs.int32()),
        ENTRIES,
        Codecs.int32(),
        Set::of);
  }
}
