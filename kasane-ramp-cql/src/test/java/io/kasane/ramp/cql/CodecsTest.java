/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.version.Bytes;
import java.util.Objects;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CodecsTest {
  @Property
  void numbersAreThoseOfCql(@ForAll int small, @ForAll long large, @ForAll long other) {
    sameAsCql(Codecs.int32(), TypeCodecs.INT, small);
    sameAsCql(Codecs.int64(), TypeCodecs.BIGINT, large);
    sameAsCql(Codecs.uuid(), TypeCodecs.UUID, new UUID(large, other));
  }

  @Property
  void textIsThatOfCql(@ForAll String text) {
    // Half a surrogate pair is no text, and is not expected back.
    if (text.chars().noneMatch(each -> Character.isSurrogate((char) each))) {
      sameAsCql(Codecs.text(), TypeCodecs.TEXT, text);
    }
  }

  private static <T> void sameAsCql(RampCodec<T> codec, TypeCodec<T> cql, T value) {
    Bytes bytes = codec.encode(value);
    assertThat(bytes)
        .isEqualTo(
            Bytes.copyOf(Objects.requireNonNull(cql.encode(value, ProtocolVersion.DEFAULT))));
    assertThat(codec.decode(bytes)).isEqualTo(value);
  }

  @Test
  void bytesOfAnotherLengthAreRefused() {
    assertThatThrownBy(() -> Codecs.int32().decode(Bytes.utf8("abc")))
        .hasMessageContaining("no int: it has 3 bytes, not 4");
    assertThatThrownBy(() -> Codecs.int64().decode(Bytes.EMPTY)).hasMessageContaining("not 8");
    assertThatThrownBy(() -> Codecs.uuid().decode(Bytes.EMPTY)).hasMessageContaining("not 16");
  }

  @Test
  void keysThatCassandraCannotHaveAreRefused() {
    RampTable<String, String> table = new RampTable<>("orders", Codecs.text(), Codecs.text());
    RampCollection<String, String, String> lines =
        new RampCollection<>("lines", Codecs.text(), Codecs.text(), Codecs.text());
    assertThatThrownBy(() -> table.keyOf(""))
        .isInstanceOf(InvalidTransactionException.class)
        .hasMessageContaining("key in table orders has 0 bytes; 1 to 65535");
    assertThatThrownBy(() -> lines.keyOf("a", ""))
        .hasMessageContaining("item in table lines has 0 bytes");
    assertThatThrownBy(() -> table.keyOf("x".repeat(65_536)))
        .hasMessageContaining("has 65536 bytes");
    assertThat(table.keyOf("x".repeat(65_535)).partition().length()).isEqualTo(65_535);
  }
}
