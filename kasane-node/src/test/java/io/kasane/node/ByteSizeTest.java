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
    "1TiB, 1099511627776",
    "20m, 20971520",
    "20 M, 20971520",
    "2g, 2147483648",
    "3k, 3072",
    "1T, 1099511627776"
  })
  void shouldReadBinaryUnits(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "MiB",
        "-1MiB",
        "1.5GiB",
        "20MB",
        "20i",
        "20Bi",
        "20iB",
        "20mi",
        "999999999999999TiB"
      })
  void shouldRefuseAnythingElse(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void shouldBeWrittenForTheJvm() {
    assertThat(ByteSize.parse("512MiB").jvm()).isEqualTo("512m");
    assertThat(ByteSize.parse("1536m").jvm()).isEqualTo("1536m");
    assertThat(ByteSize.parse("2048m").jvm()).isEqualTo("2g");
    assertThat(ByteSize.parse("1025 KiB").jvm()).isEqualTo("1025k");
    assertThatThrownBy(() -> ByteSize.parse("512").jvm()).hasMessageContaining("'512B' is no heap");
    assertThatThrownBy(() -> ByteSize.parse("0").jvm()).hasMessageContaining("512MiB or 512m");
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
