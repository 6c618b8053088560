/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kasane.ramp.version.Bytes;
import java.io.IOException;
import java.util.Objects;

/** Objects as JSON, by Jackson. */
final class JsonCodec<T> implements RampCodec<T> {
  /** Equal records give equal bytes: components are in their order, entries of maps by key. */
  static final ObjectMapper RECORDS =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Class<T> type;
  private final ObjectWriter writer;
  private final ObjectReader reader;

  JsonCodec(ObjectMapper mapper, Class<T> type) {
    this.type = Objects.requireNonNull(type);
    this.writer = mapper.writerFor(type);
    this.reader = mapper.readerFor(type);
  }

  @Override
  public Bytes encode(T value) {
    Objects.requireNonNull(value, "nothing to write; delete the key instead");
    try {
      return Bytes.copyOf(writer.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(Bytes bytes) {
    try {
      return reader.readValue(bytes.toArray());
    } catch (IOException e) {
      String why =
          e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
      throw new IllegalArgumentException(
          bytes + " is no " + type.getName() + " as JSON: " + why, e);
    }
  }
}
