/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.KeyHeat;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Remembers the bytes of some recently read keys, so that views can name what heat only knows by
 * id. One access in {@value #SAMPLE} is kept and the oldest forgotten: a hot key is all but sure to
 * be there, and the read path pays next to nothing. Thread-safe.
 */
public final class HotKeyNames {
  /** A hash and a copy for each access would cost reads more than counting it does. */
  private static final int SAMPLE = 32;

  /** Views show a hundred keys at most; with {@link #MAX_KEY_BYTES} each a table takes 2 MiB. */
  private static final int MAX_KEYS = 8192;

  /** Longer ones are shown by token. */
  private static final int MAX_KEY_BYTES = 256;

  private final Map<Long, ByteBuffer> names =
      Collections.synchronizedMap(
          new LinkedHashMap<>(256, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, ByteBuffer> eldest) {
              return size() > MAX_KEYS;
            }
          });

  void sample(long keyId, ByteBuffer key) {
    if (ThreadLocalRandom.current().nextInt(SAMPLE) == 0
        && key.remaining() <= MAX_KEY_BYTES
        && !names.containsKey(HeatTracker.knownOf(keyId))) {
      names.put(HeatTracker.knownOf(keyId), ByteBufferUtil.clone(key));
    }
  }

  /** The key's bytes, or null. */
  public ByteBuffer nameOf(long keyId) {
    ByteBuffer name = names.get(HeatTracker.knownOf(keyId));
    return name == null ? null : name.duplicate();
  }

  /** The hottest of the keys that it remembers, as far as a tracker knows them. */
  public List<KeyHeat> hottest(HeatTracker tracker, int most) {
    List<Long> ids;
    synchronized (names) {
      ids = List.copyOf(names.keySet());
    }
    return ids.stream()
        .map(id -> new KeyHeat(id, tracker.heatOf(id), tracker.sizeOf(id), 0, 0))
        .filter(key -> key.heat() > 0)
        .sorted(Comparator.comparingDouble(KeyHeat::heat).reversed())
        .limit(most)
        .toList();
  }
}
