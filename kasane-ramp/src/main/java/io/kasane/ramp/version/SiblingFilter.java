/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Collection;
import java.util.Objects;
import java.util.Set;

/**
 * A bloom filter of a transaction's keys, as in RAMP-Hybrid: it names all of them, and some others
 * by mistake.
 *
 * @param bits the filter, a byte at least
 * @param hashes how many bits a key sets, 1 to {@link #MAX_HASHES}
 */
public record SiblingFilter(Bytes bits, int hashes) implements Siblings {
  /** The most bits that a key may set. */
  public static final int MAX_HASHES = 64;

  /** A filter without bits, or one that sets none, is refused. */
  public SiblingFilter {
    Objects.requireNonNull(bits);
    if (bits.length() == 0) {
      throw new IllegalArgumentException("a filter of siblings has no bits");
    }
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "a filter of siblings sets " + hashes + " bits a key, not 1 to " + MAX_HASHES);
    }
  }

  /**
   * A filter of these keys.
   *
   * @param falsePositives how often it may err, above 0 and below 1; small filters err slightly
   *     more often than the formula says
   */
  public static SiblingFilter of(Collection<ItemKey> keys, double falsePositives) {
    int hashes = hashes(falsePositives);
    byte[] bits = new byte[bytes(keys.size(), falsePositives)];
    for (ItemKey key : keys) {
      KeyHash hash = KeyHash.of(key);
      for (int index = 0; index < hashes; index++) {
        int bit = bit(hash, index, bits.length);
        bits[bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
      }
    }
    return new SiblingFilter(Bytes.copyOf(bits), hashes);
  }

  /** How many bytes {@link #of} takes for that many keys, without making it. */
  public static int bytes(int keys, double falsePositives) {
    double ln2 = Math.log(2);
    double bits = Math.max(1, keys) * -Math.log(checked(falsePositives)) / (ln2 * ln2);
    return Math.toIntExact((long) Math.ceil(bits / Byte.SIZE));
  }

  @Override
  public Mode mode() {
    return Mode.HYBRID;
  }

  /** {@link Demand#POSSIBLE} for all keys of the transaction and for some others. */
  @Override
  public Demand demandOn(ItemKey key) {
    KeyHash hash = KeyHash.of(key);
    for (int index = 0; index < hashes; index++) {
      int bit = bit(hash, index, bits.length());
      if ((bits.at(bit / Byte.SIZE) & 1 << (bit % Byte.SIZE)) == 0) {
        return Demand.NONE;
      }
    }
    return Demand.POSSIBLE;
  }

  @Override
  public Set<ItemKey> names() {
    return Set.of();
  }

  private static int hashes(double falsePositives) {
    long best = Math.round(-Math.log(checked(falsePositives)) / Math.log(2));
    return (int) Math.max(1, Math.min(MAX_HASHES, best));
  }

  private static int bit(KeyHash hash, int index, int bytes) {
    return (int) Long.remainderUnsigned(hash.derived(index), (long) bytes * Byte.SIZE);
  }

  private static double checked(double falsePositives) {
    if (!(falsePositives > 0 && falsePositives < 1)) {
      throw new IllegalArgumentException(
          "a share of false positives of "
              + falsePositives
              + " is not above 0 and below 1; take 0.01");
    }
    return falsePositives;
  }
}
