/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kasane.engine.spi.EngineException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CompressedValuesTest {
  private static byte[] unpacked(byte[] stored) {
    ByteBuffer value = CompressedValues.unpack(stored);
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  @Property
  void whatIsPackedIsUnpacked(
      @ForAll @Size(max = 300) byte[] word,
      @ForAll @IntRange(min = 1, max = 50) int times,
      @ForAll boolean mayCompress) {
    byte[] value = new byte[word.length * times];
    for (int i = 0; i < value.length; i++) {
      value[i] = word[i % word.length];
    }
    byte[] stored = CompressedValues.pack(value, mayCompress);
    assertThat(unpacked(stored)).isEqualTo(value);
    assertThat(stored.length).isLessThanOrEqualTo(value.length + 1);
    if (mayCompress && times > 10 && value.length > 1_000) {
      assertThat(stored.length).as("repeated").isLessThan(value.length * 7 / 8);
    }
  }

  /** It must not end the process, nor take gigabytes. */
  @Property
  void damageIsSaid(@ForAll @Size(max = 400) byte[] stored, @ForAll boolean looksPacked) {
    if (looksPacked && stored.length > 5) {
      stored[0] = 1;
      stored[1] = 0;
      stored[2] = 0; // at most 64 KiB
    }
    try {
      CompressedValues.unpack(stored);
    } catch (EngineException e) {
      assertThat(e.kind()).isEqualTo(EngineException.Kind.CORRUPT);
    }
  }

  @Property(tries = 1)
  void whatIsCutIsSaid() {
    byte[] stored = CompressedValues.pack(new byte[10_000], true);
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> CompressedValues.unpack(Arrays.copyOf(stored, stored.length - 3)));
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> CompressedValues.unpack(new byte[0]));
  }
}
