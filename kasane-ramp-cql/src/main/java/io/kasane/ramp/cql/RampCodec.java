/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.version.Bytes;
import java.util.Objects;
import java.util.function.Function;

/**
 * Keys, items or values as bytes. Equal keys must give equal bytes. Called by several threads at
 * once.
 *
 * @param <T> what the application has
 */
public interface RampCodec<T> {
  /** The bytes of it. */
  Bytes encode(T value);

  /** What these bytes were made of. */
  T decode(Bytes bytes);

  /** A codec of two functions, inverse to each other. */
  static <T> RampCodec<T> of(Function<T, Bytes> encode, Function<Bytes, T> decode) {
    Objects.requireNonNull(encode);
    Objects.requireNonNull(decode);
    return new RampCodec<>() {
      @Override
      public Bytes encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(Bytes bytes) {
        return decode.apply(bytes);
      }
    };
  }
}
