/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.client;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import io.kasane.bench.ramp.system.StampedValue;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Numbers as keys of the store, and stamped values as versions, where no protocol does that. */
final class StoreKeys {
  private StoreKeys() {}

  static List<ItemKey> of(String table, int[] keys) {
    return Arrays.stream(keys)
        .mapToObj(key -> ByteBuffer.allocate(Integer.BYTES).putInt(key).flip())
        .map(key -> new ItemKey(table, Bytes.copyOf(key)))
        .toList();
  }

  /** Versions of a transaction that knows of no other. */
  static Version version(StampedValue value) {
    return new Version(
        new Timestamp(value.number(), 0),
        new UnknownSiblings(),
        Optional.of(Bytes.copyOf(value.toBytes())));
  }

  /** What was read of each key, in one round. */
  static Reading reading(int[] keys, List<Answer> answers) {
    List<SeenValue> seen = new ArrayList<>(keys.length);
    for (int i = 0; i < keys.length; i++) {
      if (answers.get(i) instanceof Answer.Present present) {
        Version version = present.version();
        seen.add(
            new SeenValue(
                keys[i],
                version.timestamp(),
                StampedValue.of(version.value().orElseThrow().toBuffer())));
      }
    }
    return new Reading(seen, 1);
  }
}
