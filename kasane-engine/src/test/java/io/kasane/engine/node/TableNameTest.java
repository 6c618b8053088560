/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableNameTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  @ParameterizedTest
  @CsvSource({
    "0, '', 00112233445566778899aabbccddeeff",
    "0, by_v, 00112233445566778899aabbccddeeff.by_v",
    "7, '', 00112233445566778899aabbccddeeff+7",
    "12, a+1.b, 00112233445566778899aabbccddeeff+12.a+1.b"
  })
  void shouldReadWhatItWrites(long incarnation, String index, String name) {
    TableName table = new TableName(ID, incarnation, index);
    assertThat(table).hasToString(name);
    assertThat(TableName.parse(name)).contains(table);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "probe",
        "",
        "00112233445566778899aabbccddeef",
        "00112233445566778899aabbccddeeff+",
        "00112233445566778899aabbccddeeff.",
        "00112233445566778899aabbccddeeffx"
      })
  void shouldKnowWhatIsNoTable(String name) {
    assertThat(TableName.parse(name)).isEmpty();
  }

  @Test
  void shouldTellIncarnationsApart() {
    assertThat(new TableName(ID, 1, "")).isNotEqualTo(new TableName(ID, 0, ""));
  }
}
