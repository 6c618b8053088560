/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** All versions there may be, for properties. */
final class Versions {
  private Versions() {}

  static Arbitrary<Timestamp> timestamps() {
    Arbitrary<Long> micros = Arbitraries.oneOf(Arbitraries.longs().between(0, 3), micros());
    Arbitrary<Long> clients = Arbitraries.oneOf(Arbitraries.of(0L, 1L, -1L), Arbitraries.longs());
    return Combinators.combine(micros, clients).as(Timestamp::new);
  }

  static Arbitrary<ItemKey> keys() {
    Arbitrary<String> tables = Arbitraries.of("t", "ks.orders", "ks.\u8868", "");
    return Combinators.combine(tables, bytes(12), bytes(5)).as(ItemKey::new);
  }

  static Arbitrary<Siblings> siblings() {
    Arbitrary<Siblings> names =
        keys()
            .set()
            .ofMaxSize(20)
            .flatMap(
                all -> Arbitraries.subsetOf(all).map(deleted -> new SiblingNames(all, deleted)));
    Arbitrary<Siblings> filters =
        Combinators.combine(keys().set().ofMaxSize(20), Arbitraries.of(0.5, 0.01, 1e-9))
            .as(SiblingFilter::of);
    return Arbitraries.oneOf(names, filters, Arbitraries.just(new UnknownSiblings()));
  }

  static Arbitrary<Version> versions() {
    return Combinators.combine(timestamps(), siblings(), bytes(300).optional()).as(Version::new);
  }

  private static Arbitrary<Bytes> bytes(int longest) {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(longest).map(Bytes::copyOf);
  }

  private static Arbitrary<Long> micros() {
    return Arbitraries.longs().between(0, Long.MAX_VALUE);
  }
}
