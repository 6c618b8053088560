/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingFilter;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Siblings;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.VersionCodec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a transaction may write, and what its versions say of its keys. */
final class Limits {
  private Limits() {}

  /**
   * The siblings of a transaction's versions.
   *
   * @throws InvalidTransactionException if it is over a limit
   */
  static Siblings check(Map<ItemKey, Optional<Bytes>> writes, RampOptions options) {
    if (writes.isEmpty()) {
      throw new InvalidTransactionException("a transaction that writes no key; name one at least");
    }
    writes.forEach((key, value) -> check(key, value.map(Bytes::length).orElse(0), options));
    Siblings siblings = siblings(writes, options);
    int bytes = VersionCodec.siblingBytes(siblings);
    if (bytes > options.maxSiblingBytes()) {
      throw new InvalidTransactionException(
          String.format(
              "the siblings of a transaction of %d keys take %d bytes in each of its versions,"
                  + " maxSiblingBytes is %d: write fewer keys at once, take shorter keys%s, or raise"
                  + " it",
              writes.size(),
              bytes,
              options.maxSiblingBytes(),
              hasItems(writes.keySet()) ? "" : " or Mode.HYBRID"));
    }
    return siblings;
  }

  /**
   * Checks one value.
   *
   * @throws InvalidTransactionException if it is over a limit
   */
  static void check(ItemKey key, int valueBytes, RampOptions options) {
    if (valueBytes > options.maxValueBytes()) {
      throw new InvalidTransactionException(
          String.format(
              "the value of %s has %d bytes, maxValueBytes is %d: write less, or raise it",
              key, valueBytes, options.maxValueBytes()));
    }
  }

  private static boolean hasItems(Set<ItemKey> keys) {
    return keys.stream().anyMatch(key -> key.item().length() > 0);
  }

  private static Siblings siblings(Map<ItemKey, Optional<Bytes>> writes, RampOptions options) {
    Set<ItemKey> keys = writes.keySet();
    // A missing item must be known by name: nobody can ask a filter which items there are.
    Mode mode = hasItems(keys) ? Mode.FAST : options.mode();
    return switch (mode) {
      case FAST -> new SiblingNames(keys, deleted(writes));
      case SMALL -> new UnknownSiblings();
      case HYBRID -> SiblingFilter.of(keys, options.filterFalsePositives());
    };
  }

  private static Set<ItemKey> deleted(Map<ItemKey, Optional<Bytes>> writes) {
    return writes.keySet().stream()
        .filter(key -> writes.get(key).isEmpty())
        .collect(Collectors.toSet());
  }
}
