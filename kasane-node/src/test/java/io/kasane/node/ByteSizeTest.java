/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17B, 17",
    "3KiB, 3072",
    "20MiB, 20971520",
    "20 mib, 20971520",
    "2GiB, 2147483648",
    "1TiB, 1099511627776"
  })
  void shouldReadBinaryUnits(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1MiB", "1.5GiB", "20MB", "20M", "999999999999999TiB"})
  void shouldRefuseAnythingElse(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void shouldWriteWhatItReads() {
    for (String text : new String[] {"0B", "17B", "20MiB", "1025KiB", "1TiB", "2048TiB"}) {
      assertThat(ByteSize.parse(text)).hasToString(text);
    }
    assertThat(new ByteSize(1536).human()).isEqualTo("1.5 KiB");
    assertThat(new ByteSize(512).human()).isEqualTo("512 B");
  }
}
