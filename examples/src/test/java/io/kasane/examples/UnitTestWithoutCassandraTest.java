/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import io.kasane.ramp.memory.MemoryVersionStore;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A unit test as applications have them. */
class UnitTestWithoutCassandraTest {
  @Test
  void whoMovesIsFoundAtTheNewPlaceOnly() {
    try (RampSession session = RampSession.over(new MemoryVersionStore())) {
      SecondaryIndex<Integer, String, String> people =
          SecondaryIndex.open(
              session,
              RowTable.of("people", Codecs.int32(), Codecs.text()),
              "people_by_city",
              Codecs.text(),
              Set::of);
      people.put(session, 7, "Kyoto");
      people.put(session, 7, "Nara");

      assertThat(people.find(session, "Kyoto")).isEmpty();
      assertThat(people.find(session, "Nara")).containsOnlyKeys(7);
    }
  }
}
