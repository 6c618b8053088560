/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiblingFilterTest {
  @Provide
  Arbitrary<Set<ItemKey>> keys() {
    return Versions.keys().set().ofMaxSize(60);
  }

  @Property(tries = 300)
  void noSiblingIsEverMissed(
      @ForAll("keys") Set<ItemKey> keys,
      @ForAll @DoubleRange(min = 0.001, max = 0.99) @Scale(3) double falsePositives) {
    SiblingFilter filter = SiblingFilter.of(keys, falsePositives);

    assertThat(keys).allMatch(key -> filter.demandOn(key) == Demand.POSSIBLE);
    assertThat(filter.bits().length()).isEqualTo(SiblingFilter.bytes(keys.size(), falsePositives));
    assertThat(filter.names()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"128,0.5,15", "128,0.1,15", "128,0.01,20", "8,0.1,40", "2,0.01,80"})
  void itErrsAboutAsOftenAsChosen(int keys, double falsePositives, int percent) {
    Random random = new Random(20);
    int asked = 0;
    int wrong = 0;
    while (asked < 200_000) {
      Set<ItemKey> members = new HashSet<>();
      for (int i = 0; i < keys; i++) {
        members.add(key("m" + random.nextLong()));
      }
      SiblingFilter filter = SiblingFilter.of(members, falsePositives);
      for (int i = 0; i < 200; i++, asked++) {
        wrong += filter.demandOn(key("o" + random.nextLong())) == Demand.NONE ? 0 : 1;
      }
    }
    assertThat((double) wrong / asked)
        .isCloseTo(falsePositives, Percentage.withPercentage(percent));
  }

  @Test
  void partsOfAKeyAreNotConfused() {
    Bytes ab = Bytes.utf8("ab");
    SiblingFilter filter = SiblingFilter.of(Set.of(new ItemKey("t", ab)), 1e-9);

    assertThat(filter.demandOn(new ItemKey("ta", Bytes.utf8("b")))).isEqualTo(Demand.NONE);
    assertThat(filter.demandOn(new ItemKey("t", Bytes.utf8("a"), Bytes.utf8("b"))))
        .isEqualTo(Demand.NONE);
    assertThat(filter.demandOn(new ItemKey("t", Bytes.EMPTY, ab))).isEqualTo(Demand.NONE);
  }

  /** Filters are stored: another build must find the same bits. */
  @Test
  void theHashStaysAsItIs() {
    KeyHash hash = KeyHash.of(new ItemKey("orders", Bytes.utf8("customer-12345"), Bytes.utf8("i")));

    assertThat(Long.toHexString(hash.first())).isEqualTo("2d0de1fa48020ba9");
    assertThat(Long.toHexString(hash.second())).isEqualTo("7a16d67589dc724e");
  }

  @Test
  void nonsenseIsRefusedInWords() {
    for (double share : new double[] {0, 1, -1, Double.NaN}) {
      assertThatThrownBy(() -> SiblingFilter.of(Set.of(), share))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("take 0.01");
    }
    assertThatThrownBy(() -> new SiblingFilter(Bytes.EMPTY, 1)).hasMessageContaining("no bits");
    assertThatThrownBy(() -> new SiblingFilter(Bytes.utf8("x"), 0)).hasMessageContaining("0 bits");
  }

  private static ItemKey key(String name) {
    return new ItemKey("t", Bytes.utf8(name));
  }
}
