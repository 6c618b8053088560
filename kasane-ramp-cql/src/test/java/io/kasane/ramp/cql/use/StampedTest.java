/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.version.Bytes;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class StampedTest {
  private static final RampCodec<Stamped<String>> CODEC = Stamped.codec(Codecs.text());

  @Property
  void comesBackFromItsBytes(@ForAll @StringLength(max = 40) @AlphaChars String value) {
    Stamped<String> stamped = Stamped.fresh(value);
    assertThat(CODEC.decode(CODEC.encode(stamped))).isEqualTo(stamped);
  }

  @Test
  void isOrderedByValueFirst() {
    Bytes first = CODEC.encode(Stamped.fresh("apple"));
    Bytes second = CODEC.encode(Stamped.fresh("pear"));
    assertThat(first).isLessThan(second);
  }

  @Test
  void noTwoAreEqual() {
    assertThat(Stamped.fresh("apple")).isNotEqualTo(Stamped.fresh("apple"));
  }

  @Test
  void thoseOfTheSameContentAreEqual() {
    Bytes apple = Codecs.text().encode("apple");
    assertThat(Stamped.byContent(apple, "apple")).isEqualTo(Stamped.byContent(apple, "apple"));
    assertThat(Stamped.byContent(apple, "apple").stamp())
        .isNotEqualTo(Stamped.byContent(Codecs.text().encode("pear"), "pear").stamp());
  }

  @Test
  void refusesARowThatWasWrittenWithoutIt() {
    assertThatThrownBy(() -> CODEC.decode(Codecs.text().encode("plain")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no stamp of 16 bytes");
  }
}
