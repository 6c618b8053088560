/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import io.kasane.bench.ramp.system.StampedValue;
import io.kasane.ramp.version.Timestamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class FracturesTest {
  private static SeenValue seen(int key, long number, int... keys) {
    StampedValue value = new StampedValue(number, keys, new byte[] {7});
    return new SeenValue(key, new Timestamp(number, 0), StampedValue.of(value.toBytes()));
  }

  private static boolean isFractured(SeenValue... values) {
    return Fractures.isFractured(new Reading(List.of(values), 1));
  }

  @Test
  void shouldSeeHalves() {
    assertThat(isFractured(seen(1, 20, 1, 2), seen(2, 10, 1, 2))).isTrue();
    assertThat(isFractured(seen(1, 10, 1, 2), seen(2, 20, 3, 2, 1))).isTrue();
  }

  @Test
  void shouldNotTakeOtherTransactionsForHalves() {
    assertThat(isFractured(seen(1, 20, 1, 2), seen(2, 20, 1, 2))).isFalse();
    assertThat(isFractured(seen(1, 20, 1, 3), seen(2, 10, 1, 2))).isFalse();
    assertThat(isFractured(seen(1, 20, 1, 2), seen(2, 30, 2, 3))).isFalse();
    assertThat(isFractured(seen(1, 20, 1, 2))).isFalse();
  }

  @Test
  void shouldOrderByClientWhereTimesAreEqual() {
    StampedValue first = new StampedValue(1, new int[] {1, 2}, new byte[0]);
    StampedValue second = new StampedValue(2, new int[] {1, 2}, new byte[0]);
    SeenValue one = new SeenValue(1, new Timestamp(5, 1), first);
    SeenValue two = new SeenValue(2, new Timestamp(5, 2), second);

    assertThat(isFractured(one, two)).isTrue();
  }
}
