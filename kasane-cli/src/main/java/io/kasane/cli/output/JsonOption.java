/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** One JSON object instead of text, for programs. */
public final class JsonOption {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Double.class, new NumberOrNull())
                  .addSerializer(double.class, new NumberOrNull()))
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .serializationInclusion(JsonInclude.Include.ALWAYS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  @Option(
      names = "--json",
      description =
          "Prints one JSON object; names are those of the views, bytes and seconds are numbers.")
  private boolean json;

  /** Whether JSON is wanted. */
  public boolean isWanted() {
    return json;
  }

  /** Prints records, maps and lists; what is not known is null. */
  public static void print(PrintWriter out, Object value) {
    try {
      out.println(MAPPER.writeValueAsString(value));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** JSON has no NaN. */
  private static final class NumberOrNull extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;

    NumberOrNull() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      if (value.isNaN() || value.isInfinite()) {
        to.writeNull();
      } else {
        to.writeNumber(value);
      }
    }
  }
}
