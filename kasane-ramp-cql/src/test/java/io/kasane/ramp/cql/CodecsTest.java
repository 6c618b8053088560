/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.version.Bytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  void orderedNumbersAreInOrderAsBytes() {
    List<Long> numbers = List.of(Long.MIN_VALUE, -256L, -1L, 0L, 1L, 255L, Long.MAX_VALUE);
    List<Bytes> bytes = numbers.stream().map(Codecs.ordered64()::encode).toList();
    assertThat(bytes).isSorted();
    assertThat(bytes.stream().map(Codecs.ordered64()::decode)).isEqualTo(numbers);
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

  @Test
  void textsThatUtf8CannotSayAreRefused() {
    for (String text : List.of("\uD800", "a\uDC00b", "\uD83D")) {
      assertThatThrownBy(() -> Codecs.text().encode(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("surrogate");
    }
    assertThatThrownBy(() -> Codecs.text().decode(Bytes.copyOf(new byte[] {(byte) 0xC3})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8");
    assertThat(Codecs.text().decode(Codecs.text().encode("né 🍐"))).isEqualTo("né 🍐");
  }

  enum Colour {
    RED,
    GREEN
  }

  record Place(String city, int floor) {}

  record Person(
      String name,
      long born,
      boolean married,
      double height,
      UUID id,
      Colour colour,
      Place home,
      List<String> tags,
      Map<String, Integer> sizes) {}

  record NewerPlace(String city, int floor, Colour door) {}

  @Test
  void recordsComeBackAsTheyWere() {
    UUID id = UUID.randomUUID();
    Person ada = person(id, new LinkedHashMap<>(Map.of("shoe", 37)));
    ada.sizes().put("hat", 54);
    Person twin = person(id, new LinkedHashMap<>(Map.of("hat", 54)));
    twin.sizes().put("shoe", 37);
    RampCodec<Person> codec = Codecs.json(Person.class);

    assertThat(codec.decode(codec.encode(ada))).isEqualTo(ada);
    assertThat(codec.encode(twin)).isEqualTo(codec.encode(ada));
    assertThat(codec.encode(ada).toUtf8()).startsWith("{\"name\":\"Ada ");
  }

  private static Person person(UUID id, Map<String, Integer> sizes) {
    Place home = new Place("London", 2);
    List<String> tags = List.of("a", "", "b");
    return new Person("Ada \uD83C\uDF50", 1815, true, -1.65, id, Colour.GREEN, home, tags, sizes);
  }

  @Test
  void recordsGrowAndLoseNothing() {
    RampCodec<Place> old = Codecs.json(Place.class);
    RampCodec<NewerPlace> fresh = Codecs.json(NewerPlace.class);

    assertThat(fresh.decode(old.encode(new Place("Rome", 1))))
        .isEqualTo(new NewerPlace("Rome", 1, null));
    Bytes newer = fresh.encode(new NewerPlace("Rome", 1, Colour.RED));
    assertThatThrownBy(() -> old.decode(newer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Place as JSON")
        .hasMessageContaining("door");
    for (String bad : List.of("{\"city\":\"Rome\"}", "", "null x", "{}{}", "7")) {
      assertThatThrownBy(() -> old.decode(Bytes.utf8(bad)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    ObjectMapper lenient =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    assertThat(Codecs.json(lenient, Place.class).decode(newer)).isEqualTo(new Place("Rome", 1));
  }
}
