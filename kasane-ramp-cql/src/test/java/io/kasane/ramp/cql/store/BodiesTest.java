/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Candidates;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BodiesTest {
  private static final Version OLD = version(1);
  private static final Version NEW = version(2);

  private static Version version(long micros) {
    return new Version(
        new Timestamp(micros, 1), new UnknownSiblings(), Optional.of(Bytes.utf8("v" + micros)));
  }

  private static Candidates showing(Answer committed, Version... prepared) {
    return new Candidates(
        committed, prepared.length == 0 ? Map.of() : Map.of(prepared[0].timestamp(), prepared[0]));
  }

  @Test
  void ofSeveralQuestionsTheNewestMarkerCounts() {
    Candidates before = showing(new Answer.Absent(), OLD);
    Candidates after = showing(new Answer.Present(NEW), NEW);
    for (List<Candidates> parts : List.of(List.of(before, after), List.of(after, before))) {
      Candidates all = Bodies.together(parts);
      assertThat(all.committed()).isEqualTo(new Answer.Present(NEW));
      assertThat(all.prepared()).isEqualTo(Map.of(OLD.timestamp(), OLD, NEW.timestamp(), NEW));
    }
  }

  /** What is committed may be newer than what the others showed. */
  @Test
  void damagedBytesInOneOfSeveralQuestionsAreAMiss() {
    Candidates whole = showing(new Answer.Present(OLD));
    Candidates damaged = showing(new Answer.Miss());
    assertThat(Bodies.together(List.of(whole, damaged)).committed()).isEqualTo(new Answer.Miss());
    assertThat(Bodies.together(List.of(damaged, whole)).committed()).isEqualTo(new Answer.Miss());
  }
}
